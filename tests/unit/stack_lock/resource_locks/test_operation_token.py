# SPDX-License-Identifier: Apache-2.0
"""What an engine finds when it asks whether a lock is still its own."""

import testtools

from heat_extras.stack_lock.resource_locks import operation_token
from tests.unit.stack_lock.resource_locks import database
from tests.unit.stack_lock.resource_locks import fakes


class MandateTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.database = self.useFixture(database.Database())
        self.web = self.database.add(
            fakes.Stack('web'), lock_status='IN_PROGRESS',
            lock_operation_id='own')
        self.operation_token = operation_token.Mandate(self.database.context,
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
            self.assertRaises(operation_token.Withdrawn,
                              self.operation_token.check)
            self.assertRaises(operation_token.Withdrawn, self.hold)
