# SPDX-License-Identifier: Apache-2.0

"""Stacks of real resources."""

import json

from tests.harness.cloud import cloud
from tests.harness.cloud import nova

VERSION = '2018-08-31'

SERVER = {'type': 'OS::Nova::Server', 'properties': {
    'image': cloud.IMAGE, 'flavor': nova.FLAVOR,
    # ACTIVE in about a second: there are no agents that plug ports.
    'networks': [{'allocate_network': 'none'}]}}

SHARE = {'type': 'OS::Manila::Share', 'properties': {
    'share_protocol': 'NFS', 'size': 1}}

_SERVERS = {'heat_template_version': VERSION, 'resources': {
    'group': {'type': 'OS::Heat::ResourceGroup', 'properties': {
        'count': 2, 'resource_def': SERVER}}}}

# Heat expects strings; JSON is also YAML.
FILES = {'servers.yaml': json.dumps(_SERVERS)}
# A small image, for a file service.
IMAGE = 'image.raw'
IMAGE_FILE = {IMAGE: bytes(1024)}


def stack(**resources):
    """Make a template of resources."""
    return {'heat_template_version': VERSION, 'resources': resources}


def image(url, **properties):
    """Make an image that Glance loads from *url*."""
    return {'type': 'OS::Glance::WebImage', 'properties': {
        'location': url, 'disk_format': 'raw', 'container_format': 'bare',
        **properties}}


def tree(image_url):
    """Make a stack that a member can create: servers, some of them nested."""
    return stack(server=SERVER, nested={'type': 'servers.yaml'},
                 image=image(image_url),
                 network={'type': 'OS::Neutron::Net'})


def servers(count):
    """Make a group of servers."""
    return stack(group={'type': 'OS::Heat::ResourceGroup', 'properties': {
        'count': count, 'resource_def': SERVER}})


def identity(prefix):
    """Make a stack that only an admin can create, with unique names."""
    return stack(
        role={'type': 'OS::Keystone::Role',
              'properties': {'name': f'{prefix}-role'}},
        project={'type': 'OS::Keystone::Project',
                 'properties': {'name': f'{prefix}-project'}})
