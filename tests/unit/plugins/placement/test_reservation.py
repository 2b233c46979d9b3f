# SPDX-License-Identifier: Apache-2.0

from unittest import mock

import testtools

from heat_extras.lifecycle import public
from heat_extras.plugins.placement import ledger
from heat_extras.plugins.placement import members
from heat_extras.plugins.placement import reservation

RACKS = {'r': {'X': 1}}


class ReservationTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.written = self.patch(ledger, 'write', side_effect=[False, True])
        self.rows = self.patch(ledger, 'everything',
                               return_value=('last', []))
        self.patch(reservation.usage, 'root_of', return_value='root')
        self.known = {}
        self.patch(reservation.origin, 'views', return_value=[mock.Mock(
            names={'hidden'}, definition=self.known.get)])
        self.metadata = {members.KEY: {'group': 'g', 'policy': 'spread'}}
        self.know(self.metadata)
        self.wanted = [members.Member('a', frozenset('X'), 'g', 'spread')]
        self.patch(reservation, '_resources', return_value=[
            ('a', frozenset('X'), self.metadata)])
        self.patch(members, 'read', side_effect=lambda found: self.wanted)

    def patch(self, *args, **kwargs):
        patched = mock.patch.object(*args, **kwargs)
        self.addCleanup(patched.stop)
        return patched.start()

    def know(self, metadata):
        self.known['a'] = metadata and mock.Mock(_metadata=metadata)

    def reserve(self, action='CREATE'):
        stack = mock.Mock(operation_id='op')
        stack.id = 's'
        reservation.reserve(lambda: RACKS, None, stack, None, action)

    def test_it_plans_again_when_others_planned_meanwhile(self):
        self.reserve()
        self.assertEqual(2, self.rows.call_count)
        self.assertEqual([{
            'stack_id': 's', 'resource_name': 'a', 'operation_id': 'op',
            'root_id': 'root', 'group_name': 'g', 'resource_type': 'X',
            'rack': 'r'}], self.written.call_args.args[2])

    def test_what_others_have_is_not_there(self):
        self.rows.return_value = ('last', [mock.Mock(
            stack_id='t', root_id='t', rack='r', resource_type='X')])
        error = self.assertRaises(public.Denied, self.reserve)
        self.assertIn('placement group g', str(error))
        self.written.assert_not_called()

    def test_what_could_be_a_hidden_value_is_no_name(self):
        self.wanted = [members.Member('a', frozenset('X'), 'secret', 'x')]
        for known in (None, {'other': 1}, {members.KEY: '******'},
                      {members.KEY: {'group': '******', 'policy': 'x'}}):
            self.know(known)
            error = self.assertRaises(public.Denied, self.reserve)
            self.assertIn('of resource a', str(error))
            self.assertNotIn('secret', str(error))
        self.written.assert_not_called()

    def test_nothing_is_planned_for_going_back_and_away(self):
        for action in ('ROLLBACK', 'DELETE', 'CHECK', 'LOCK'):
            self.reserve(action)
        self.rows.assert_not_called()
