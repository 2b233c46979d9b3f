# SPDX-License-Identifier: Apache-2.0

import dataclasses
import importlib
import json
import pathlib
import re

import fixtures
from heat.api.openstack import v1
from heat.api.openstack.v1 import actions
from heat.common import wsgi
from heat import policies
import jsonschema
from oslo_config import cfg
import testtools

from heat_extras import entry_points
from heat_extras import exception
from heat_extras import fixture
from heat_extras import guard
from heat_extras.guards import controller
from heat_extras.health import request
from heat_extras.stack_lock import api
from heat_extras.stack_lock.delete_protection import protection
from heat_extras.stack_lock import lock_record

ROOT = pathlib.Path(__file__).parents[2]
SHIPPED = json.loads((ROOT / 'heat_extras' / 'openapi.json').read_text())


def parts(value, key):
    """Yield each value of a key, anywhere in a document."""
    if isinstance(value, dict):
        for name, each in value.items():
            if name == key:
                yield each
            yield from parts(each, key)
    elif isinstance(value, list):
        for each in value:
            yield from parts(each, key)


def operations():
    """List the described operations as ``(path, method, operation)``."""
    return [(path, method, operation)
            for path, methods in SHIPPED['paths'].items()
            for method, operation in methods.items()]


class DocumentTest(testtools.TestCase):

    def test_schemas_are_valid_and_references_resolve(self):
        for schema in (*parts(SHIPPED, 'schema'),
                       *SHIPPED['components']['schemas'].values()):
            jsonschema.Draft202012Validator.check_schema(schema)
        self.assertLessEqual(
            set(parts(SHIPPED, '$ref')),
            {f'#/components/schemas/{name}'
             for name in SHIPPED['components']['schemas']})

    def test_operation_ids_are_unique(self):
        names = [operation['operationId'] for _, _, operation in operations()]
        self.assertEqual(sorted(set(names)), sorted(names))

    def test_path_parameters_match_path(self):
        for path, _, operation in operations():
            self.assertEqual(
                re.findall('{(.+?)}', path),
                [each['name'] for each in operation['parameters']
                 if each['in'] == 'path'])

    def test_features_add_fields_to_same_response(self):
        answer = SHIPPED['paths']['/v1/{tenant_id}/stacks']['get'][
            'responses']['200']['content']['application/json']['schema']
        shown = answer['properties']['stacks']['items']['properties']
        self.assertLessEqual({'updatable', 'lock_level'}, set(shown))


class MatchesCodeTest(testtools.TestCase):
    """The description has the same rules, errors and fields as the code."""

    def test_each_policy_rule_is_listed_at_its_url(self):
        for rule in (*entry_points.list_rules_of_actions(),
                     *entry_points.list_rules_of_guards()):
            for each in rule.operations:
                operation = SHIPPED['paths'][each['path']][
                    each['method'].lower()]
                self.assertIn(rule.name, operation['x-openstack-policies'])

    def test_listed_policy_rules_exist(self):
        known = {rule.name for rule in (
            *policies.list_rules(), *entry_points.list_rules_of_actions(),
            *entry_points.list_rules_of_guards())}
        for path, method, operation in operations():
            named = set(operation['x-openstack-policies'])
            self.assertNotEqual(set(), named, (path, method))
            self.assertLessEqual(named, known)

    def test_listed_errors_have_code_of_response(self):
        faults = SHIPPED['components']['schemas']['Fault'][
            'x-heat-extras-faults']
        for path in (ROOT / 'heat_extras').glob('*/errors.py'):
            importlib.import_module(f'heat_extras.{path.parent.name}.errors')
        self.assertEqual(
            {name: exception.http_errors[name].code for name in faults},
            {name: fault['code'] for name, fault in faults.items()})
        for _, _, operation in operations():
            for code, answer in operation['responses'].items():
                for name in re.findall(r'\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b',
                                       answer['description']):
                    self.assertEqual(int(code), faults[name]['code'], name)

    def test_stack_has_described_fields(self):
        stack = operation('get')['responses']['200']['content'][
            'application/json']['schema']['properties']['stack']
        self.assertEqual(
            {*lock_record.PUBLIC_FIELDS, lock_record.PRIOR_STACK_STATUS,
             *protection.PUBLIC_FIELDS, 'updatable'}, set(stack['properties']))

    def test_guard_has_described_fields(self):
        self.assertEqual(
            {'stack_name', *(field.name for field
                             in dataclasses.fields(guard.GuardInfo))},
            set(SHIPPED['components']['schemas']['Guard']['properties']))

    def test_query_parameters_match_code(self):
        self.assertEqual(set(controller.QUERY), words('get', '/guards'))
        self.assertEqual({field.name for field in dataclasses.fields(
            api.Query)}, words('get', path='/v1/{tenant_id}/locks'))

    def test_request_body_fields_match_code(self):
        schemas = SHIPPED['components']['schemas']
        for action, fields in api.FIELDS.items():
            if not fields:
                continue
            name = ''.join(map(str.title, [*action.split('_'), 'request']))
            wanted = schemas[name]['properties'][action]
            wanted = wanted.get('oneOf', [wanted])[0]
            self.assertEqual(set(fields), set(wanted['properties']), action)
        mark = operation('patch', '/resources/{resource_name}')
        self.assertEqual(
            set(request.FIELDS), set(mark['requestBody']['content'][
                'application/json']['schema']['properties']))


class RoutesTest(testtools.TestCase):
    """Each described URL has a route, and each added route is described."""

    def setUp(self):
        super().setUp()
        # Each controller has an RPC client, which requires a transport.
        self.useFixture(fixtures.MockPatch(
            'heat.common.messaging.get_rpc_client'))
        self.bare = self._routes()
        self.heats_actions = set(actions.ActionController.ACTIONS)
        self.useFixture(fixture.HeatExtras(processes=('api',)))

    def _routes(self):
        """Return the path and the method of each route."""
        return {(_path(route.routepath), route.conditions['method'])
                for route in v1.API(cfg.CONF).map.matchlist
                if route.conditions and not isinstance(
                    route.defaults['controller'].controller,
                    wsgi.DefaultMethodController)}

    def test_added_routes_are_described(self):
        added = self._routes() - self.bare
        self.assertNotEqual(set(), added)
        self.assertLessEqual(added, {
            (path.removeprefix('/v1'), method.upper())
            for path, method, _ in operations()})

    def test_described_routes_exist(self):
        known = self._routes()
        for path, method, operation in operations():
            route = (path.removeprefix('/v1'), method.upper())
            self.assertIn(route, known)
            if operation.get('x-heat-extras-only-additions'):
                self.assertIn(route, self.bare)

    def test_described_actions_match_controller(self):
        body = SHIPPED['paths'][openapi_path('actions')]['post'][
            'requestBody']['content']['application/json']['schema']
        described = {SHIPPED['components']['schemas'][
            each['$ref'].rpartition('/')[2]]['x-openstack']['action-name']
            for each in body['oneOf']}
        self.assertEqual(set(actions.ActionController.ACTIONS)
                         - self.heats_actions, described)


def operation(method, last='', path=None):
    return SHIPPED['paths'][path or (
        f'/v1/{{tenant_id}}/stacks/{{stack_name}}/{{stack_id}}{last}')][method]


def words(*args, **kwargs):
    return {each['name'] for each in operation(*args, **kwargs)['parameters']
            if each['in'] == 'query'}


def openapi_path(last):
    return f'/v1/{{tenant_id}}/stacks/{{stack_name}}/{{stack_id}}/{last}'


def _path(route):
    # Some routes end in a regular expression.
    return re.sub(r'{path:(\w+)}', r'\1', route)
