# SPDX-License-Identifier: Apache-2.0

"""The description of what heat-extras adds to Heat's API, as OpenAPI 3.1.

Each feature that adds to the API has a module of its name here, with its
URLs. ``tools/api_description.py`` writes the description to
``heat_extras/openapi.json``.
"""

import dataclasses
import importlib
import pathlib
import re

from heat_extras import conf
from heat_extras import entry_points
from heat_extras import exception
from heat_extras import features
from openapi import types

_VERSION = '/v1'
_TOLD = """\
The requests and fields that heat-extras adds to the API of OpenStack Heat. \
For requests of Heat's own API (x-heat-extras-only-additions is true), this \
description contains only the fields that heat-extras adds. An operator can \
enable each feature (x-heat-extras-features) separately.

Requests that would change a protected stack are rejected with 409. \
components.schemas.Fault describes these errors.\
"""
_PATHS = {
    'tenant_id': 'The ID of the project, as in the URL of the service '
                 'catalog.',
    'stack_name': 'The name of the stack. If the path contains no stack_id, '
                  'the ID of the stack is also accepted.',
    'stack_id': 'The ID of the stack.',
    'resource_name': 'The name of the resource.',
}
_UNAUTHORIZED = {
    'description': 'The request has no token, or its token is not valid.'}
_ACCEPTED = {'description': 'The request was accepted.'}
_FOUND = {
    'description': 'Location is the URL with the name and the ID of the '
                   'stack.',
    'headers': {'Location': {'schema': {'type': 'string', 'format': 'uri'}}}}


def document(version):
    """Return the description, of JSON's types.

    :param version: of heat-extras.
    """
    schemas = {}
    paths = _hoisted(_paths(), schemas)
    return {
        'openapi': '3.1.0',
        'info': {'title': 'heat-extras', 'version': version,
                 'description': _TOLD,
                 'license': {'name': 'Apache 2.0',
                             'identifier': 'Apache-2.0'}},
        'servers': [{'url': '{endpoint}', 'variables': {'endpoint': {
            'default': 'http://localhost:8004',
            'description': 'The endpoint of the service type orchestration, '
                           'without /v1 and the project ID.'}}}],
        'security': [{'token': []}],
        'paths': paths,
        'components': {
            'securitySchemes': {'token': {
                'type': 'apiKey', 'in': 'header', 'name': 'X-Auth-Token'}},
            'schemas': {**dict(sorted(schemas.items())), 'Fault': _fault()}}}


def _hoisted(value, schemas):
    """Let schemas that have a title stand in one place each."""
    if isinstance(value, list):
        return [_hoisted(each, schemas) for each in value]
    if not isinstance(value, dict):
        return value
    copy = {key: _hoisted(each, schemas) for key, each in value.items()}
    title = copy.get('title')
    if not isinstance(title, str):
        return copy
    schemas[title] = copy
    return {'$ref': f'#/components/schemas/{title}'}


def endpoints():
    """List the names of features, each with one :class:`endpoint.Endpoint`."""
    return [(name, each) for name in conf.FEATURES
            if pathlib.Path(__file__).with_name(f'{name}.py').exists()
            for each in importlib.import_module(f'openapi.{name}').ENDPOINTS]


def _paths():
    paths = {}
    for name, each in endpoints():
        methods = paths.setdefault(_VERSION + each.path, {})
        methods[each.method] = (
            _joined(methods[each.method], name, each)
            if each.method in methods else _operation(name, each))
    return dict(sorted(paths.items()))


def _operation(name, each):
    parts = {
        'operationId': each.name, 'summary': each.summary,
        'description': each.description,
        'tags': ['additions' if each.is_heats else name],
        'x-heat-extras-features': [name],
        'x-heat-extras-only-additions': each.is_heats,
        'x-openstack-policies': [*each.rules, *_rules(each)],
        'parameters': _parameters(each), 'requestBody': _body(each),
        'responses': _responses(each)}
    return {name: part for name, part in parts.items() if part}


def _joined(operation, name, each):
    # Two features add to one answer of Heat's.
    answer, = (other.answer for _, other in endpoints()
               if other.name == each.name and other is not each)
    return {**operation, 'responses': _responses(dataclasses.replace(
        each, answer=_sum(answer, each.answer))), 'x-heat-extras-features': [
            *operation['x-heat-extras-features'], name]}


def _sum(first, other):
    """Return the schema of an object with what both schemas add."""
    if 'items' in first:
        return {**first, 'items': _sum(first['items'], other['items'])}
    both = first['properties'].keys() & other['properties'].keys()
    return {**first, 'properties': {
        **first['properties'], **other['properties'],
        **{name: _sum(first['properties'][name], other['properties'][name])
           for name in both}}}


def _rules(each):
    """Name those of our policy rules that say that they are for this."""
    return [rule.name for rules in (entry_points.list_rules_of_actions(),
                                    entry_points.list_rules_of_guards())
            for rule in rules if {
                'path': _VERSION + each.path,
                'method': each.method.upper()} in rule.operations]


def _parameters(each):
    return [{'name': name, 'in': 'path', 'required': True,
             'description': _PATHS[name], 'schema': types.TEXT}
            for name in re.findall(r'{(\w+)}', each.path)] + [
        {'name': name, 'in': 'query', 'schema': {
            key: value for key, value in schema.items()
            if key != 'description'}, **{
                key: value for key, value in schema.items()
                if key == 'description'}}
        for name, schema in each.query.items()]


def _body(each):
    if each.bodies is None and each.body is None:
        return None
    schema = each.body
    if each.bodies is not None:
        # As OpenStack's own descriptions write bodies with an action.
        schema = {'oneOf': [{
            **types.titled(_called(name),
                           types.whole({name: part})),
            'x-openstack': {'action-name': name}}
            for name, part in each.bodies.items()],
            'x-openstack': {'discriminator': 'action'}}
    return {'required': True, 'content': _json(schema)}


def _called(action):
    return ''.join(map(str.title, [*action.split('_'), 'request']))


def _responses(each):
    done = (('302', _FOUND) if each.answer is None else
            ('202', _ACCEPTED) if each.answer == types.NOTHING else
            (str(each.status), {'description': 'The request has succeeded.',
                                'content': _json(each.answer)}))
    refused = {str(code): _refusal(text)
               for code, text in each.refused.items()}
    if each.is_heats:
        refused['default'] = _refusal("An error of Heat's own API")
    return dict(sorted([done, ('401', _UNAUTHORIZED), *refused.items()]))


def _refusal(text):
    return {'description': text + '.',
            'content': _json({'$ref': '#/components/schemas/Fault'})}


def _json(schema):
    return {'application/json': {'schema': schema}}


def _fault():
    return {
        **types.besides({
            'code': {'type': 'integer', 'minimum': 400, 'maximum': 599},
            'title': types.TEXT,
            'explanation': types.TEXT,
            'error': {
                **types.besides({
                    'type': types.note(
                        types.TEXT, 'The type of the error: one of '
                        'x-heat-extras-faults, or an error type of Heat '
                        'itself.'),
                    'message': types.note(
                        types.TEXT,
                        'The reason of the error, and what to do. Some of '
                        "Heat's own errors have no message, for example the "
                        'error for a query string that is not valid UTF-8.'),
                    'traceback': types.nullable(types.TEXT)}),
                'required': ['type', 'traceback']}}),
        'required': ['code', 'title', 'explanation', 'error'],
        'x-heat-extras-faults': _faults()}


def _faults():
    faults = {}
    for each in features.all_features():
        module = each.load_errors()
        faults.update(vars(module) if module else {})
    return {name: {'code': fault.code,
                   'description': fault.__doc__.partition('\n')[0]}
            for name, fault in sorted(faults.items())
            if name in exception.http_errors}
