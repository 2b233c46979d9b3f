# SPDX-License-Identifier: Apache-2.0

import json
import types
from unittest import mock

from heat.common import exception
from heat.common import identifier
from heat.engine import environment
from heat.engine import resources
from heat.engine import stk_defn
from heat.engine import template as templates
import testtools

from heat_extras.plugins import origin

VERSION = {'heat_template_version': '2018-08-31'}
GET = {'get_param': 'password'}
INNER = {**VERSION, 'parameters': {
    'a': {'type': 'string', 'default': 'none'}, 'b': {'type': 'number'},
    'c': {'type': 'json', 'default': {}}}}
FILES = {'inner.yaml': json.dumps(INNER)}
HIDDEN = {'password': {'type': 'string', 'hidden': True}}


class Stack:
    """A stack that is in no database."""

    DELETE, ROLLBACK, CREATE = 'DELETE', 'ROLLBACK', 'CREATE'
    action, created_time, updated_time = 'CREATE', None, None
    in_convergence_check, strict_validate = False, False
    prev_raw_template_id = None

    def __init__(self, template, owner=None, resource=None, **values):
        self.id = self.name = (
            'root' if owner is None else f'{owner.id}-{resource}')
        self.owner_id = None if owner is None else owner.id
        self.parent_resource_name = resource
        self.context = types.SimpleNamespace()
        self.defn = stk_defn.StackDefinition(
            None, made(template, **values), self.identifier(), {})

    def identifier(self):
        return identifier.HeatIdentifier('tenant', self.name, self.id)

    def db_resource_get(self, name):
        raise AssertionError('the database was asked')

    @property
    def t(self):
        return self.defn.t

    @property
    def env(self):
        return self.t.env

    @property
    def parameters(self):
        return self.defn.parameters

    def __len__(self):
        return len(self.t.t.get('resources') or {})


def made(template, defaults=None, **values):
    return templates.Template(template, files=FILES, env=(
        environment.Environment({'parameters': values,
                                 'parameter_defaults': defaults or {}})))


def root(resources=None, parameters=HIDDEN):
    return {**VERSION, 'parameters': {**parameters, 'colour': {
        'type': 'string', 'default': 'red'}}, 'resources': resources or {}}


def inner(**properties):
    return {'inner': {'type': 'inner.yaml', 'properties': properties}}


class Base(testtools.TestCase):
    """Stacks that are in no database."""

    def setUp(self):
        super().setUp()
        resources.initialise()
        self.stacks, self.templates = {}, {}
        self.patch(origin.heat_stack.Stack, 'load', self.load)
        self.patch(origin.templates.Template, 'load',
                   lambda context, found: self.templates[found])
        # A stack that is not in the database finds nothing in it.
        self.patch(Stack, 'db_resource_get',
                   lambda stack, name: self.assertIsNone(stack.id))

    def patch(self, *args):
        patched = mock.patch.object(*args)
        patched.start()
        self.addCleanup(patched.stop)

    def load(self, context, stack_id, show_deleted):
        self.assertTrue(show_deleted)
        if stack_id not in self.stacks:
            raise exception.NotFound()
        return self.stacks[stack_id]

    def add(self, *args, previous=None, **values):
        stack = Stack(*args, **values)
        self.stacks[stack.id] = stack
        if previous is not None:
            self.templates[stack.id] = previous
            stack.prev_raw_template_id = stack.id
        return stack


class OriginTest(Base):

    def view(self, stack):
        return origin.views(stack, [stack])[0]

    def told(self, stack):
        return {name: value for name, value
                in self.view(stack).parameters.items() if '::' not in name}

    def test_a_root_tells_what_is_not_hidden(self):
        stack = self.add(root(), password='secret')
        self.assertEqual({'password': '******', 'colour': 'red'},
                         self.told(stack))
        self.assertEqual({'type': 'string', 'hidden': True}, self.view(
            stack).document['parameters']['password'])

    def test_a_name_is_hidden_wherever_it_was(self):
        stack = self.add(root(parameters={'password': {'type': 'string'}}),
                         previous=made(root()), password='secret')
        self.assertEqual('******', self.told(stack)['password'])
        other = self.add(root(parameters={'a': {'type': 'string'}}),
                         defaults={'a': 'secret'})
        other.t.files = {'x': json.dumps({'parameters': {
            'a': {'hidden': True}}}), 'y': 'hidden: [', 'z': b'\x00hidden'}
        self.assertEqual('******', self.told(other)['a'])

    def test_a_nested_stack_tells_what_can_be_made_without(self):
        owner = self.add(root(inner(
            a={'get_param': 'colour'}, b={'str_split': ['-', GET, 1]},
            c={'x': ['y', GET]})), password='secret-7')
        child = self.add(INNER, owner, 'inner', a='red', b=7,
                         c={'x': ['y', 'secret-7']})
        self.assertEqual(
            {'a': 'red', 'b': '******', 'c': {'x': ['y', '******']}},
            self.told(child))
        self.assertEqual(INNER, self.view(child).document)
        self.assertEqual(child.name, self.view(child).name)

    def test_a_default_does_not_tell_that_it_was_chosen(self):
        owner = self.add(root(inner(a=GET, b=1)), password='none')
        child = self.add(INNER, owner, 'inner', a='none', b=1)
        self.assertEqual({'a': '******', 'b': 1, 'c': {}}, self.told(child))

    def test_what_the_owner_forgot_is_not_told(self):
        owner = self.add(root(inner(a='other', b=1), {}), previous=made(
            root(inner(a='older', b=2), {})))
        for found, wanted in (('derived', '******'), ('other', 'other'),
                              ('older', 'older')):
            child = self.add(INNER, owner, 'inner', a=found, b=1)
            self.assertEqual({'a': wanted, 'b': 1, 'c': {}},
                             self.told(child))

    def test_nothing_is_told_without_an_origin(self):
        owner = self.add(root({'x': {'type': 'absent.yaml'},
                               'y': {'type': 'https://x.test/y.yaml'}}))
        lost = self.add(INNER, owner, 'inner', a='x', b=1)
        gone = self.add(INNER, self.add(root(), owner, 'gone'), 'inner')
        del self.stacks['root-gone']
        for stack in (lost, gone, self.add(INNER, owner, 'x'),
                      self.add(INNER, owner, 'y')):
            view = self.view(stack)
            self.assertEqual(('******', '******'),
                             (view.document, view.parameters))
            self.assertIsNone(view.definition('anything'))
        self.assertEqual('******', self.view(lost).name)
        # The names of its parameters are no secret, all values are.
        self.assertIn('a', self.view(lost).secret)

    def test_it_goes_on_through_all_stacks_around(self):
        group = {'group': {'type': 'OS::Heat::ResourceGroup', 'properties': {
            'count': 2, 'resource_def': {
                'type': 'inner.yaml', 'properties': {
                    'a': 'number-%index%', 'b': 3,
                    'c': {'x': {'get_param': 'colour'}, 'y': GET}}}}}}
        owner = self.add(root(group), password='secret')

        def member(index):
            return {'type': 'inner.yaml', 'properties': {
                'a': f'number-{index}', 'b': 3,
                'c': {'x': 'red', 'y': 'secret'}}}
        between = self.add({
            'heat_template_version': '2015-04-30',
            'resources': {'0': member(0), '1': member(1)}}, owner, 'group')
        told = self.view(between).document['resources']
        self.assertEqual({'x': 'red', 'y': '******'},
                         told['1']['properties']['c'])
        child = self.add(INNER, between, '1', a='number-1', b=3,
                         c={'x': 'red', 'y': 'secret'})
        self.assertEqual({'a': 'number-1', 'b': 3,
                          'c': {'x': 'red', 'y': '******'}},
                         self.told(child))

    def test_how_many_there_are_is_not_told_either(self):
        owner = self.add(root({'group': {
            'type': 'OS::Heat::ResourceGroup', 'properties': {
                'count': GET, 'resource_def': {
                    'type': 'OS::Heat::None'}}}}), password='1')
        child = self.add({
            'heat_template_version': '2015-04-30', 'resources': {
                '0': {'type': 'OS::Heat::None'}}}, owner, 'group')
        self.assertEqual('******', self.view(child).document)

    def test_a_new_stack_without_resources_is_looked_at(self):
        stack = self.add(root(), password='secret')
        empty = Stack(root(parameters={'password': {'type': 'string'}}),
                      password='secret')
        _old, new = origin.views(stack, [stack, empty])
        self.assertEqual('******', new.parameters['password'])
