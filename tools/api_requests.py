#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0

"""Print the page of requests, which the documentation is built with.

Usage: api_requests.py [--write FILE]
"""

import json
import pathlib

import generated_page

_OPENAPI = (pathlib.Path(__file__).resolve().parent.parent
            / 'heat_extras' / 'openapi.json')
_SCHEMAS = '#/components/schemas/'
_FEATURES = 'x-heat-extras-features'
_POLICIES = 'x-openstack-policies'
#: Objects in the bodies of requests.
_SENT = 'ReviewedPlan', 'User'
_WRAPPERS = 'stack', 'stacks', 'resource', 'resources'
_FIELDS = 'Field', 'Value', 'Description'

HEADER = """\
============
API requests
============

This page lists the requests, fields and errors that heat-extras adds to Heat's
API. :doc:`api` describes and shows the requests. This page is generated from
``heat_extras/openapi.json``.

Requests
========

In the column *Request*, the path follows ``/v1/{tenant_id}``.

"""


def page():
    """Return the page, the same for every run."""
    document = json.loads(_OPENAPI.read_text())
    operations = [
        (method.upper(), path, operation)
        for path, methods in document['paths'].items()
        for method, operation in methods.items()]
    schemas = document['components']['schemas']
    return ''.join((
        HEADER, _overview(operations), _parameters(operations),
        _bodies(operations), _additions(operations), _objects(schemas),
        _statuses(operations), _errors(schemas['Fault'])))


def _short(path):
    return path.removeprefix('/v1/{tenant_id}') or '/'


def _overview(operations):
    return generated_page.table(
        ('Request', 'Purpose', 'Features', 'Policy rules'),
        [(_named(method, path), operation['summary'],
          _literals(operation[_FEATURES]), _literals(operation[_POLICIES]))
         for method, path, operation in operations])


def _named(method, path):
    return f'``{method} {_short(path)}``'


def _literals(words):
    return ', '.join(f'``{word}``' for word in words)


def _parameters(operations):
    return _section('Query parameters') + _grouped(
        ('Parameter', 'Value', 'Description'),
        ((_named(method, path), tuple(
            (f'``{each["name"]}``', _type(each['schema']),
             _description(each, each['schema']))
            for each in operation['parameters'] if each['in'] == 'query'))
         for method, path, operation in operations))


def _bodies(operations):
    return _section('Bodies of requests') + _grouped(
        _FIELDS, ((_named(method, path), tuple(_rows(
            _json(operation.get('requestBody', {})))))
            for method, path, operation in operations))


def _additions(operations):
    return _section('Fields of responses') + _grouped(
        _FIELDS, ((_named(method, path), tuple(
            row for status, response in operation['responses'].items()
            if status == '200'
            for row in _rows(_unwrapped(_json(response)), mark='')))
            for method, path, operation in operations))


def _unwrapped(schema):
    """Return the schema of a stack or resource in a response."""
    for name in _WRAPPERS:
        if name in schema.get('properties', {}):
            inner = schema['properties'][name]
            return inner.get('items', inner)
    return schema


def _json(described):
    return described.get('content', {}).get('application/json', {}).get(
        'schema', {})


def _grouped(head, tables):
    """Return the tables, those with the same rows once."""
    names = {}
    for name, rows in tables:
        names.setdefault(rows, []).append(name)
    return '\n'.join(f'{", ".join(of)}:\n\n'
                     + generated_page.table(head, rows)
                     for rows, of in names.items() if rows)


def _objects(schemas):
    return _section('Objects') + _grouped(
        _FIELDS, ((f'``{name}``', tuple(_rows(
            schema, mark=', required' if name in _SENT
            or name.endswith('Request') else '')))
                  for name, schema in schemas.items() if name != 'Fault'))


def _rows(schema, prefix='', mark=', required'):
    """Yield a row for each field, also of the objects in a field.

    :param mark: follows the value of a required field.
    """
    for choice in schema.get('oneOf', [schema]):
        required = choice.get('required', ())
        for name, field in choice.get('properties', {}).items():
            value = _type(field) + (mark if name in required else '')
            yield f'``{prefix}{name}``', value, _description(field)
            yield from _rows(field.get('items', field), f'{prefix}{name}.',
                             mark)


def _description(*schemas):
    text = next((each['description'] for each in schemas
                 if 'description' in each), '')
    for each in schemas:
        if 'default' in each:
            text += f' Default: ``{json.dumps(each["default"])}``.'
            return text.strip()
    return text


def _type(schema):
    if '$ref' in schema:
        return f'``{schema["$ref"].removeprefix(_SCHEMAS)}``'
    if 'oneOf' in schema:
        return ' or '.join(map(_type, schema['oneOf']))
    if 'const' in schema:
        return f'``{schema["const"]}``'
    if 'enum' in schema:
        return ', '.join('null' if each is None else f'``{each}``'
                         for each in schema['enum'])
    if schema.get('format') == 'date-time':
        kinds = ['time']
        kinds += ['null'] if 'null' in schema['type'] else []
    else:
        kinds = schema.get('type', 'object')
        kinds = kinds if isinstance(kinds, list) else [kinds]
    text = ' or '.join(kinds)
    if 'maximum' in schema:
        return f'{text} from {schema["minimum"]} to {schema["maximum"]}'
    if 'maxLength' in schema:
        return f'{text}, at most {schema["maxLength"]} characters'
    return f'list of {_type(schema["items"])}' if 'items' in schema else text


def _statuses(operations):
    return _section('Statuses of rejected requests') + _grouped(
        ('Status', 'Reason'), ((_named(method, path), tuple(
            (status, response['description'])
            for status, response in operation['responses'].items()
            if status.startswith('4') and status != '401'))
            for method, path, operation in operations))


def _errors(fault):
    rows = [(f'``{name}``', str(each['code']), each['description'])
            for name, each in fault['x-heat-extras-faults'].items()]
    return _section('Errors') + (
        'The field ``error.type`` of a response contains the type of the '
        'error.\n\n') + generated_page.table(
        ('Type', 'Status', 'Description'), rows)


def _section(title):
    return f'\n{title}\n{"=" * len(title)}\n\n'


if __name__ == '__main__':
    generated_page.show_or_write(page())
