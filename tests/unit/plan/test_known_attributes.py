# SPDX-License-Identifier: Apache-2.0

"""Tests of known attributes; the functional tests have the rest."""

import types
from unittest import mock

from heat.engine.resources.openstack.heat import resource_group
from heat.engine.resources.openstack.heat import test_resource
from heat.engine.resources.openstack.heat import value as heat_value
from heat.rpc import api as rpc_api
import testtools

from heat_extras.plan import known_attributes
from heat_extras.plan import unknown

MARKER = unknown.MARKER


class ValueTest(testtools.TestCase):

    def find(self, hidden, attribute, kind=heat_value.Value, known=None):
        plan = types.SimpleNamespace(
            new_type=lambda name: kind, unresolved=lambda name: hidden,
            queries=unknown.Queries(), exists=lambda name: False,
            new_definition=lambda name: types.SimpleNamespace(
                _properties={'value': known}),
            stack=types.SimpleNamespace(convergence=True))
        return known_attributes.find_value(plan, 'a', attribute)

    def test_known_property_has_value(self):
        self.assertEqual([[1]], self.find({}, 'value', known=[1]))
        self.assertEqual([1], self.find({}, ('value', 0), known=[1]))

    def test_known_part_of_property_has_value(self):
        hidden = {'value': {'a': MARKER, 'b': [1, MARKER]}}
        self.assertEqual([1], self.find(hidden, ('value', 'b', 0)))
        for path in ((), ('a',), ('a', 'x'), ('b',), ('b', 1)):
            self.assertEqual([], self.find(hidden, ('value', *path)), path)

    def test_unknown_attributes_have_no_value(self):
        self.assertEqual([], self.find({unknown.ALL: MARKER}, 'value'))
        self.assertEqual([], self.find({}, 'show', known=1))
        self.assertEqual([], self.find({}, 'value', known=1,
                                       kind=test_resource.TestResource))


class LegacyEngineTest(testtools.TestCase):

    def find(self, convergence, value, present='x'):
        plan = mock.Mock(queries=unknown.Queries(), **{
            'stack.convergence': convergence,
            'current.return_value.FnGetAtt.return_value': present})
        with mock.patch.object(known_attributes, '_value',
                               return_value=value):
            return known_attributes.find_value(plan, 'a', 'b')

    def test_legacy_engine_value_is_known_only_if_unchanged(self):
        self.assertEqual(['x'], self.find(False, 'x'))
        self.assertEqual([], self.find(False, 'y'))
        self.assertEqual(['y'], self.find(True, 'y'))


class GroupTest(testtools.TestCase):

    def test_outputs_have_format_of_rpc_api(self):
        child = mock.Mock(**{'planned.t.t': {'outputs': {'a': {}}}})
        outputs = known_attributes._Outputs(child)
        self.assertIn('a', outputs)
        self.assertRaises(known_attributes._NotKnown, outputs.__contains__,
                          'b')
        with mock.patch.object(known_attributes, '_resolve_output') as resolve:
            resolve.return_value = [1]
            self.assertEqual({rpc_api.OUTPUT_VALUE: [1]}, outputs['a'])
            for value in (None, MARKER):
                resolve.return_value = value
                self.assertRaises(known_attributes._NotKnown,
                                  outputs.__getitem__, 'a')

    def test_group_of_unknown_size_has_no_known_value(self):
        inputs = mock.Mock(uncertain_names=(), is_size_known=False)
        self.assertRaises(
            known_attributes._NotKnown, known_attributes._group_value,
            mock.Mock(), 'g', mock.Mock(inputs=inputs), ['refs'])

    def test_added_group_has_no_known_value(self):
        plan = mock.Mock(queries=unknown.Queries(), **{
            'keeps_nested.return_value': False, 'stack.convergence': True,
            'new_type.return_value': resource_group.ResourceGroup})
        self.assertEqual([], known_attributes.find_value(plan, 'g', 'refs'))
