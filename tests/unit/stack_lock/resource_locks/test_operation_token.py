# SPDX-License-Identifier: Apache-2.0

"""Whether a lock is still its engine's own, and calls that come too late."""

from unittest import mock

import testtools

from heat_extras.stack_lock.resource_locks import operation_token
from heat_extras.stack_lock.resource_locks import protection_table
from heat_extras.stack_lock.resource_locks import states
from tests.unit.stack_lock.resource_locks import database
from tests.unit.stack_lock.resource_locks import fakes

LOCKED = {'lock_level': 'all', 'lock_action': 'LOCK',
          'lock_status': 'COMPLETE'}
UNLOCKED = {'lock_level': None, 'lock_action': 'UNLOCK',
            'lock_status': 'COMPLETE'}


class TokenTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.database = self.useFixture(database.Database())
        self.web = self.database.add(
            fakes.Stack('web'), lock_status='IN_PROGRESS',
            lock_operation_id='own')
        self.operation_token = operation_token.Token(self.database.context,
                                                     self.web.id,
                                                     'own')

    def hold(self):
        with self.database.heat.engine.begin() as connection:
            self.operation_token.hold(connection)

    def test_it_is_valid_while_it_is_in_progress(self):
        self.operation_token.check()
        self.hold()

    def test_it_is_withdrawn_by_whatever_ends_or_replaces_it(self):
        for columns in ({'lock_status': 'FAILED'},
                        {'lock_status': 'COMPLETE'},
                        {'lock_status': 'IN_PROGRESS',
                         'lock_operation_id': 'of another'},
                        {'lock_operation_id': None, 'lock_status': None}):
            self.database.change(self.web, **columns)
            self.assertFalse(self.operation_token.is_valid())
            self.assertRaises(operation_token.Superseded,
                              self.operation_token.check)
            self.assertRaises(operation_token.Superseded, self.hold)


class LateCallTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.database = self.useFixture(database.Database())
        self.web = self.database.add(
            fakes.Stack('web'), lock_status='IN_PROGRESS',
            lock_operation_id='own')
        self.server = self.database.resource(self.web)
        self.operation_token = operation_token.Token(self.database.context,
                                                     self.web.id,
                                                     'own')
        self.changed = []

    def tree(self, state=None, **columns):
        """Let somebody else change the tree and the resource's row."""
        if state is not None:
            protection_table.write(self.operation_token,
                                   {self.server: (state, 'why')})
        self.database.change(self.web, **columns)

    def settle(self, is_protected=True, meanwhile=lambda is_wanted: None):
        """Let the late call come to its end.

        :param meanwhile: what others do while the service is asked; returns
            whether they protect the resource.
        """
        def change(resource, is_wanted):
            self.changed.append(is_wanted)
            return meanwhile(is_wanted)
        operation_token.reconcile_late_call(self.operation_token, self.server,
                                            is_protected,
                                            change)

    def lock_anew(self, state):
        """Lock the tree, which was unlocked, and find the resource so."""
        self.database.change(self.web, lock_status='IN_PROGRESS')
        self.tree(state, **LOCKED)

    def state(self):
        row, = protection_table.of_tree(self.database.context,
                                        self.web.id).values()
        return row.state

    def test_an_unlocked_tree_wants_it_free(self):
        self.tree(**UNLOCKED)
        self.settle()
        self.assertEqual([False], self.changed)

    def test_a_tree_that_is_gone_wants_it_free(self):
        with self.database.heat.engine.begin() as connection:
            connection.execute(self.database.heat.table('stack').delete())
        self.settle()
        self.assertEqual([False], self.changed)

    def test_level_stacks_wants_it_free(self):
        self.tree(**{**LOCKED, 'lock_level': 'stacks'})
        self.settle()
        self.assertEqual([False], self.changed)

    def test_a_lock_that_knows_of_it_keeps_it(self):
        for state in (states.LOCKING, states.PROTECTED, states.FOUND,
                      states.FAILED):
            self.tree(state, **LOCKED)
            self.settle()
            self.assertEqual(([], states.PROTECTED),
                             (self.changed, self.state()))
            self.database.change(self.web, lock_status='IN_PROGRESS')

    def test_a_lock_that_counts_on_it_gets_it_back(self):
        self.tree(states.PROTECTED, **LOCKED)
        self.settle(is_protected=False)
        self.assertEqual([True], self.changed)

    def test_what_is_somebody_elses_is_left_to_them(self):
        self.tree(states.FOUND, **LOCKED)
        self.settle(is_protected=False)
        self.assertEqual([], self.changed)

    def test_a_lock_that_found_it_while_it_was_released_gets_it_back(self):
        for state in (states.FOUND, states.FAILED, states.PROTECTED):
            self.tree(**UNLOCKED)
            seen, self.changed = [], []

            def lock(is_wanted, state=state, seen=seen):
                if is_wanted:
                    # A crash leaves no lock behind that nobody knows of.
                    seen.append(self.state())
                else:
                    self.lock_anew(state)
            self.settle(meanwhile=lock)
            self.assertEqual(
                ([False, True], [states.LOCKING], states.PROTECTED),
                (self.changed, seen, self.state()))

    def test_not_what_somebody_else_has_taken_by_then(self):
        self.tree(**UNLOCKED)

        def take(is_wanted):
            self.lock_anew(states.FOUND)
            return True
        self.settle(meanwhile=take)
        self.assertEqual(([False], states.FOUND),
                         (self.changed, self.state()))

    def test_what_is_locked_and_unlocked_meanwhile_is_free(self):
        self.tree(**UNLOCKED)

        def act(is_wanted):
            if self.changed == [False]:
                self.lock_anew(states.FOUND)
            else:
                self.tree(**UNLOCKED)
        self.settle(meanwhile=act)
        self.assertEqual([False, True, False], self.changed)

    def test_an_unlock_that_failed_looks_at_it_again(self):
        self.tree(states.LOCKING, lock_action='UNLOCK', lock_status='FAILED')
        for is_protected in (True, False):
            self.settle(is_protected)
        self.assertEqual([], self.changed)

    def test_what_is_in_progress_is_waited_for(self):
        def end(seconds):
            self.database.change(self.web, lock_level=None,
                                 lock_status='COMPLETE')
        with mock.patch.object(operation_token.time, 'sleep', end):
            self.settle()
        self.assertEqual([False], self.changed)

    def test_what_cannot_be_brought_back_is_logged(self):
        self.tree(**{**LOCKED, 'lock_level': None})
        with mock.patch.object(operation_token, 'LOG') as log:
            operation_token.reconcile_late_call(
                self.operation_token, self.server, True,
                mock.Mock(side_effect=fakes.Refused()))
        self.assertEqual(1, log.exception.call_count)
