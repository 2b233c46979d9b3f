# SPDX-License-Identifier: Apache-2.0

"""The racks of a provider: from a file, or from its service.

Pure: nothing of Heat is imported.
"""

import typing

import jsonschema
import yaml

from heat_extras import errors
from heat_extras.lifecycle import public
from heat_extras.plugins.webhook import client

SCHEMA = {
    'type': 'object', 'required': ['racks'], 'additionalProperties': False,
    'properties': {'racks': {'type': 'array', 'items': {
        'type': 'object', 'required': ['name', 'capacity'],
        'additionalProperties': False,
        'properties': {
            'name': {'type': 'string', 'minLength': 1, 'maxLength': 255},
            'capacity': {'type': 'object', 'additionalProperties': {
                'type': 'integer', 'minimum': 0}}}}}}}


# From a rack's name to how many resources of which type it can hold.
Racks = dict[str, dict[str, int]]


class Unusable(public.Unavailable):
    """There is no inventory that one could plan with."""


def from_conf(conf: typing.Any) -> typing.Callable[[], Racks]:
    """Prepare to read the inventory.

    :returns: a callable that reads it: from a rack's name to how many
        resources of which type it can hold. It raises an error when it
        cannot.
    :raises ActivationError: when the options, or the file, are not good.
    """
    place = conf.heat_extras.placement_inventory
    if place.startswith(('http://', 'https://')):
        service = client.from_conf(conf, 'placement_inventory')
        return lambda: parse(service.get())
    try:
        _from_file(place)
    except Unusable as error:
        raise errors.ActivationError(
            f'[heat_extras] placement_inventory: {place}: {error}') from error
    return lambda: _from_file(place)


def _from_file(path: str) -> Racks:
    try:
        with open(path, encoding='utf-8') as source:
            return parse(yaml.safe_load(source))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        said = ' '.join(str(
            getattr(error, 'strerror', None) or error).split())
        raise Unusable(f'found {said}, wanted a readable YAML file, or a URL '
                       'that begins with http:// or https://') from error


def parse(document: typing.Any) -> Racks:
    """Make an inventory of what a file or an answer says.

    :raises Unusable: when that is none.
    """
    errors = jsonschema.Draft7Validator(SCHEMA).iter_errors(document)
    problems = sorted(
        '/'.join(map(str, error.absolute_path)) + ': ' + error.message
        for error in errors)
    if problems:
        raise Unusable('inventory: ' + '; '.join(problems))
    names = [rack['name'] for rack in document['racks']]
    if len(set(names)) != len(names):
        raise Unusable('inventory: found two racks of one name')
    return {rack['name']: dict(rack['capacity'])
            for rack in document['racks']}
