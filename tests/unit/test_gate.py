# SPDX-License-Identifier: Apache-2.0

"""The order in which guards are asked, and how requests reach them."""

from unittest import mock

import fixtures
from heat.engine import service
import testtools

from heat_extras import gate
from heat_extras import guard
from heat_extras import rpc_endpoint
from heat_extras import rpc_request


class _Guard(guard.Guard):
    methods = {'added': lambda engine, context, **arguments: (
        engine, context, arguments)}
    answers = {'show_stack': lambda context, answer: [answer, context]}

    def __init__(self, asked, name):
        self.asked, self.name = asked, name

    def process(self, request, proceed):
        self.asked.append(('process', self.name))
        return (self.name, proceed())

    def check_row(self, request, row):
        self.asked.append((row, self.name))

    def accept_row(self, request, row):
        self.asked.append(('accept', self.name))

    def prepare_update(self, update, proceed):
        prepared = proceed()
        self.asked.append((update, self.name))
        return prepared


class GateTestCase(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.asked = []
        self.useFixture(fixtures.MockPatchObject(gate, '_guards'))
        self.addCleanup(gate.asked_at.cache_clear)
        gate.open_for([_Guard(self.asked, 'a'), guard.Guard(),
                       _Guard(self.asked, 'b')])


class GateTest(GateTestCase):

    def test_guards_are_asked_in_order(self):
        request = rpc_request.Request('update', None)
        self.assertEqual(('a', ('b', 'done')),
                         gate.ask('process', lambda: 'done', request))
        with rpc_request.processing(request):
            gate.check_row('row')
        self.assertTrue(request.is_row_checked)
        # For example, a deletion stores its intent when all have accepted it.
        self.assertEqual([('process', 'a'), ('process', 'b'), ('row', 'a'),
                          ('row', 'b'), ('accept', 'a'), ('accept', 'b')],
                         self.asked)

    def test_row_is_not_checked_without_request(self):
        gate.check_row('row')
        self.assertEqual([], self.asked)

    def test_innermost_guard_of_update_is_last_in_order(self):
        request = rpc_request.Request('update', None)
        with rpc_request.processing(request):
            self.assertEqual((1, 'now', 'then'), gate.prepare_update(
                'update', lambda: (1, 'now', 'then')))
        self.assertEqual([('update', 'b'), ('update', 'a')], self.asked)
        self.assertEqual(('now', 'then'), request.stacks)


class EndpointTest(GateTestCase):
    def setUp(self):
        super().setUp()
        self.engine = mock.Mock(spec=service.EngineService)
        self.endpoint = rpc_endpoint.put_before(self.engine)

    def test_request_passes_gate(self):
        self.engine.stack_snapshot.side_effect = (
            lambda context, **arguments: rpc_request.current())
        self.assertEqual(('a', ('b', rpc_request.Request(
            'snapshot', 'context', self.engine, {'name': 'x'}))),
            self.endpoint.stack_snapshot('context', name='x'))
        self.assertIsNone(rpc_request.current())

    def test_other_requests_reach_engine(self):
        self.assertIs(self.engine.identify_stack, self.endpoint.identify_stack)
        self.assertRaises(AttributeError, getattr, self.endpoint, 'no_method')

    def test_guards_add_and_complete_methods(self):
        self.assertEqual((self.engine, 'context', {'name': 'x'}),
                         self.endpoint.added('context', name='x'))
        self.engine.show_stack.return_value = 'stack'
        self.assertEqual([['stack', 'context'], 'context'],
                         self.endpoint.show_stack('context'))

    def test_other_endpoints_are_unchanged(self):
        self.assertEqual('listener', rpc_endpoint.put_before('listener'))

    def test_all_operations_are_methods_of_heat(self):
        self.assertEqual([], rpc_request.find_problems())
