# SPDX-License-Identifier: Apache-2.0

"""Templates with each kind of container of nested stacks.

The root has a resource ``network``, whose attribute ``output`` is not known
before an update that changes its property, and a resource ``nodes``: a
container of ``member.yaml``, whose members get two properties: ``flavor``, a
parameter of the root, and ``net``, that attribute.
"""

import json

VERSION = {'heat_template_version': '2018-08-31'}
ALIAS = 'Test::Member'
ENVIRONMENT = {'resource_registry': {ALIAS: 'member.yaml'}}

_PARAMETERS = {'flavor': {'type': 'string', 'default': 'small'},
               'net': {'type': 'string', 'default': 'none'}}
_GET = {name: {'get_param': name} for name in _PARAMETERS}


def plain(properties, **more):
    """A template resource."""
    return {'type': 'member.yaml', 'properties': properties}


def group(properties, size=2, **more):
    """A ResourceGroup."""
    return {'type': 'OS::Heat::ResourceGroup', 'properties': {
        'count': size, 'resource_def': plain(properties), **more}}


def scaling(properties, size=2, **more):
    """An AutoScalingGroup."""
    return {'type': 'OS::Heat::AutoScalingGroup', 'properties': {
        'min_size': 0, 'max_size': 9, 'desired_capacity': size,
        'resource': plain(properties), **more}}


def chain(properties, size=2, **more):
    """A ResourceChain, which knows a type by an alias only."""
    return {'type': 'OS::Heat::ResourceChain', 'properties': {
        'resources': [ALIAS] * size, 'resource_properties': properties}}


KINDS = {'plain': plain, 'group': group, 'scaling': scaling, 'chain': chain}
GROUPS = ('group', 'scaling')


def root(kind, depth=1, allow=None, **keywords):
    """Return the template of a root stack, for :func:`files`.

    :param kind: a key of :data:`KINDS`.
    :param depth: 2: the container is in a template resource ``nodes``.
    :param allow: of ``nodes``.
    :param keywords: of the container.
    """
    properties = {'flavor': _GET['flavor'],
                  'net': {'get_attr': ['network', 'output']}}
    nodes = (KINDS[kind](properties, **keywords) if depth == 1 else
             {'type': 'branch.yaml', 'properties': properties})
    return {**VERSION,
            'parameters': {'flavor': _PARAMETERS['flavor'],
                           'value': {'type': 'string', 'default': 'one'}},
            'resources': {
                'network': {'type': 'OS::Heat::TestResource', 'properties': {
                    'value': {'get_param': 'value'}}},
                'nodes': with_allow(nodes, allow)}}


def files(member, kind='plain', **keywords):
    """Return the files of a root stack.

    :param member: resources of each member.
    :param kind: of the container in ``branch.yaml``, for depth 2.
    """
    branch = {**VERSION, 'parameters': _PARAMETERS, 'resources': {
        'inside': KINDS[kind](_GET, **keywords)}}
    return {'member.yaml': json.dumps({
        **VERSION, 'parameters': _PARAMETERS, 'resources': member}),
        'branch.yaml': json.dumps(branch)}


def fixed(changed, parameter):
    """Return the files with a parameter of the members immutable."""
    member = json.loads(changed['member.yaml'])
    member['parameters'][parameter] = {
        **member['parameters'][parameter], 'updatable': False}
    return {**changed, 'member.yaml': json.dumps(member)}


def with_allow(resource, allow):
    """Return a resource with an ``update_policy.allow``."""
    if allow is None:
        return resource
    policy = {**resource.get('update_policy', {}), 'allow': allow}
    return {**resource, 'update_policy': policy}


def guarded(allow=None, **properties):
    """Return a test resource with a policy."""
    return with_allow(
        {'type': 'OS::Heat::TestResource', 'properties': properties},
        {'replace': False} if allow is None else allow)
