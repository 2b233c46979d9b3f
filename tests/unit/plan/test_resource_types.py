# SPDX-License-Identifier: Apache-2.0

import types
from unittest import mock

from heat.common import grouputils
from heat.engine import api
from heat.engine import rsrc_defn
from heat.scaling import template as scaling_template
import testtools

from heat_extras.plan import resource_types


class ClientTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        rows = [self.row(name, status, time) for name, status, time in (
            ('b', 'COMPLETE', '2026-01-01'), ('a', 'COMPLETE', '2026-01-02'),
            ('c', 'FAILED', '2026-01-03'))]
        stack = types.SimpleNamespace(
            context=None, id=None,
            t=types.SimpleNamespace(t={'heat_template_version': '2015-04-30',
                                       'resources': {}}),
            iter_resources=lambda: iter(rows))
        with mock.patch.object(api, 'format_stack_resource',
                               lambda row, detail: row):
            self.client = resource_types._Client(stack)
        self.group = types.SimpleNamespace(
            context=None, rpc_client=lambda: self.client,
            nested_identifier=lambda: {})

    @staticmethod
    def row(name, status, time):
        return {'resource_name': name, 'resource_status': status,
                'creation_time': time}

    def names(self, include_failed=True):
        inspector = grouputils.GroupInspector.from_parent_resource(self.group)
        return list(inspector.member_names(include_failed))

    def test_members_are_in_order_of_heat(self):
        self.assertEqual(['c', 'b', 'a'], self.names())
        self.assertEqual(['b', 'a'], self.names(False))

    def test_new_members_are_youngest_after_batch(self):
        self.client.update(scaling_template.make_template([
            ('0', mock.Mock(render_hot=dict)),
            ('a', mock.Mock(render_hot=dict)),
            ('c', mock.Mock(render_hot=dict))]))
        self.assertEqual(['a', 'c', '0'], self.names(False))
        self.assertEqual({'0', 'a', 'c'}, set(
            self.client.get_template(None, {})['resources']))

    @staticmethod
    def template(**values):
        return scaling_template.make_template([
            (name, rsrc_defn.ResourceDefinition(
                name, 'OS::Heat::TestResource', {'value': value}))
            for name, value in values.items()])

    def test_replaced_members_are_youngest_after_batch(self):
        self.client.update(self.template(a='x', b='x', c='x'))
        self.assertEqual(['b', 'a', 'c'], self.names())
        self.client.update(self.template(a='x', b='y', c='x', d='y'),
                           {'a', 'b', 'c'})
        self.assertEqual(['a', 'c', 'b', 'd'], self.names())
        self.client.update(self.template(a='y', b='y', c='x', d='y'),
                           {'a', 'b', 'c'})
        self.assertEqual(['c', 'b', 'd', 'a'], self.names())
        self.client.update(self.template(a='y', b='y', c='y', d='y'))
        self.assertEqual(['c', 'b', 'd', 'a'], self.names())
