# SPDX-License-Identifier: Apache-2.0

"""The racks of a provider: from a file, or from its service.

Pure: nothing of Heat is imported.
"""

import typing

import jsonschema

from heat_extras.config_validation import yaml_file
from heat_extras import errors
from heat_extras.lifecycle import public
from heat_extras.plugins.webhook import client
from heat_extras import sanitize

_OPTION = '[heat_extras] placement_inventory'
_KEY, _NOUN = 'racks', 'rack'

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
    _read(place)
    return lambda: _from_file(place)


def _from_file(path: str) -> Racks:
    try:
        return _read(path)
    except errors.ActivationError as error:
        raise Unusable(str(error)) from error


def _read(path: str) -> Racks:
    found = yaml_file.parse(_OPTION, path, _content(path), _KEY, _NOUN)
    found.refuse([*_problems(found.value), *found.repeated(),
                  *found.named()])
    return _racks(found.value)


def _content(path: str) -> bytes:
    try:
        return yaml_file.read(_OPTION, path)
    except errors.ActivationError as error:
        raise errors.ActivationError(
            f'{error}, or a URL that begins with http:// or https://'
        ) from error


def parse(answer: typing.Any) -> Racks:
    """Make an inventory of what a service answers.

    :raises Unusable: when that is none.
    """
    problems = sorted(f'{"/".join(map(str, place))}: {said}'
                      for place, said in _problems(answer))
    if problems:
        raise Unusable('inventory: ' + '; '.join(problems))
    names = [rack['name'] for rack in answer[_KEY]]
    if len(set(names)) != len(names):
        raise Unusable('inventory: found two racks of one name')
    return _racks(answer)


def _problems(value: object) -> yaml_file.Problems:
    for error in jsonschema.Draft7Validator(SCHEMA).iter_errors(value):
        yield tuple(error.absolute_path), error.message
    racks = value.get(_KEY) if isinstance(value, dict) else None
    for index, rack in enumerate(racks if isinstance(racks, list) else ()):
        name = rack.get('name') if isinstance(rack, dict) else None
        # It is written into the database, and into messages.
        if isinstance(name, str) and not name.isprintable():
            yield (_KEY, index, 'name'), (
                f'found {sanitize.quote(name)}, wanted a name that can be '
                'printed')


def _racks(value: dict) -> Racks:
    return {rack['name']: dict(rack['capacity']) for rack in value[_KEY]}
