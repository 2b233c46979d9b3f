# SPDX-License-Identifier: Apache-2.0

"""What stacks are that were refused an action, on each database."""

import threading
import types
from unittest import mock

from heat.common import exception
from oslo_messaging.rpc import dispatcher
import sqlalchemy

from heat_extras.lifecycle import denied_action
from tests.database import base
from tests.database import race

REASON = 'Wärme: no connection. Nothing was deleted.'


class UnbegunTest(base.DatabaseTest):

    def setUp(self):
        super().setUp()
        self.stack_id = self.forest.add_stack()
        self.show('DELETE', 'FAILED', REASON)

    def show(self, action, status, reason):
        with self.engine.begin() as connection:
            connection.execute(
                sqlalchemy.update(denied_action._stack)
                .where(denied_action._stack.c.id == self.stack_id)
                .values(action=action, status=status, status_reason=reason))
        self.now = types.SimpleNamespace(
            id=self.stack_id, context=self.context, action=action,
            status=status, status_reason=reason, current_traversal='t')

    def state(self):
        with self.engine.connect() as connection:
            return tuple(connection.execute(sqlalchemy.select(
                denied_action._stack.c.action, denied_action._stack.c.status)
                .where(denied_action._stack.c.id == self.stack_id)).one())

    def note(self):
        denied_action.record_denial(self.now, 'DELETE', REASON,
                                    ('CREATE', 'COMPLETE'))

    def update(self):
        """Update the stack as Heat does."""
        if self.state()[0] == 'DELETE':
            try:
                raise exception.NotSupported(feature='Updating a stack when '
                                                     'it is deleting')
            except exception.NotSupported:
                raise dispatcher.ExpectedException() from None
        return 'updated'

    def updated(self):
        return denied_action.update_stack(self.context,
                                          {'stack_id': self.stack_id},
                                          self.update)

    def test_it_gets_its_state_back_when_an_update_comes(self):
        for _twice in range(2):
            self.note()
        self.assertEqual(('DELETE', 'FAILED'), self.state())
        self.assertEqual('updated', self.updated())
        self.assertEqual(('CREATE', 'COMPLETE'), self.state())

    def test_two_that_are_noted_at_once(self):
        other = self.beside(
            denied_action.record_denial, types.SimpleNamespace(**{
                **vars(self.now), 'context': self.new_context()}),
            'DELETE', REASON, ('CREATE', 'COMPLETE'))
        self.note()
        for attempt in other:
            attempt.result(race.SECONDS)
        self.assertEqual(1, len(other))
        self.assertEqual('updated', self.updated())
        self.assertEqual(('CREATE', 'COMPLETE'), self.state())

    def beside(self, function, *arguments):
        """Call a function in a thread when this one comes to an INSERT.

        :returns: a list that gets its future.
        """
        threads = self.useFixture(race.Threads())
        mine, started = threading.get_ident(), []

        def meet(connection, cursor, statement, *rest):
            if (threading.get_ident() == mine and not started
                    and statement.lstrip().startswith('INSERT')):
                started.append(threads.start(function, *arguments))
                race.settle(started[0])

        listener = (self.engine, 'before_cursor_execute', meet)
        sqlalchemy.event.listen(*listener)
        self.addCleanup(sqlalchemy.event.remove, *listener)
        return started

    def test_not_when_another_reason_shows(self):
        self.note()
        self.show('DELETE', 'FAILED', 'Resource DELETE failed')
        self.assertRaises(dispatcher.ExpectedException, self.updated)

    def test_nor_when_another_delete_has_begun_that_ends_so(self):
        self.note()
        self.assertEqual(('CREATE', 'COMPLETE'),
                         denied_action.state_before(self.now, 'DELETE'))
        denied_action.forget(self.now, 'DELETE')
        self.assertRaises(dispatcher.ExpectedException, self.updated)
        self.assertEqual(('DELETE', 'FAILED'),
                         denied_action.state_before(self.now, 'DELETE'))

    def test_nor_when_one_begins_while_the_update_comes(self):
        self.note()

        def forget(*arguments):
            found = is_found(*arguments)
            denied_action.forget(self.now, 'DELETE')
            return found

        is_found = denied_action._found
        with mock.patch.object(denied_action, '_found', forget):
            self.assertRaises(dispatcher.ExpectedException, self.updated)
        self.assertEqual(('DELETE', 'FAILED'), self.state())

    def test_one_that_is_overtaken_before_it_shows_changes_nothing(self):
        self.note()
        denied_action.state_before(self.now, 'DELETE')
        self.assertEqual('updated', self.updated())
