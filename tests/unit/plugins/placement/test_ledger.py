# SPDX-License-Identifier: Apache-2.0

import fixtures
from heat.common import context as heat_context
from heat.db import api as db_api
from oslo_db.sqlalchemy import enginefacade
import testtools

from heat_extras.lifecycle import ledger as operations
from heat_extras.lifecycle import operation
from heat_extras.plugins.placement import ledger
from tests.unit.db import base


def row(name, operation_id='op', stack_id='s'):
    return {'stack_id': stack_id, 'resource_name': name, 'root_id': stack_id,
            'operation_id': operation_id, 'group_name': 'g',
            'resource_type': 'X', 'rack': f'of-{name}'}


class LedgerTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        database = self.useFixture(base.HeatDatabase(extended=True))
        manager = enginefacade.transaction_context()
        manager.configure(connection=database.url)
        self.useFixture(fixtures.MockPatchObject(
            db_api, 'context_manager', manager))
        self.context = heat_context.RequestContext(is_admin=True)

    def write(self, *rows):
        last, _rows = ledger.everything(self.context)
        self.assertTrue(ledger.write(self.context, last, list(rows)))

    def found(self):
        return {(one.stack_id, one.resource_name, one.operation_id)
                for one in ledger.everything(self.context)[1]}

    def test_who_planned_with_what_is_outdated_plans_again(self):
        first, _rows = ledger.everything(self.context)
        second, _rows = ledger.everything(self.context)
        self.assertTrue(ledger.write(self.context, first, [row('a')]))
        self.assertFalse(ledger.write(self.context, second, [row('b')]))
        self.assertEqual({('s', 'a', 'op')}, self.found())
        self.write(row('b'))
        self.assertEqual(2, len(self.found()))

    def test_a_plan_is_kept_or_released(self):
        self.write(row('a'), row('b'), row('a', stack_id='other'))
        ledger.keep(self.context, 's', 'op', ['a', 'b'])
        self.write(row('c', 'next'), row('b', 'next'))
        ledger.release(self.context, 's', 'next')
        self.assertEqual({('s', 'a', ''), ('s', 'b', ''),
                          ('other', 'a', 'op')}, self.found())

    def test_members_that_moved_or_left_give_up_their_places(self):
        self.write(row('a', ''), row('b', ''), row('c', ''))
        self.write(row('b', 'op'), row('c', 'late'))
        ledger.keep(self.context, 's', 'op', ['b', 'c'])
        self.assertEqual({('s', 'b', ''), ('s', 'c', '')}, self.found())

    def test_the_plan_of_an_operation_that_runs_stays(self):
        operations.begin(self.context, operation.Operation(
            'new', 's', 'UPDATE', engine_id='here'))
        self.write(row('a', 'new'), row('a', 'old'), row('a', 'late'))
        ledger.release(self.context, 's', 'old')
        self.assertEqual({('s', 'a', 'new')}, self.found())
        self.write(row('a', 'old'), row('a', 'late'))
        ledger.keep(self.context, 's', 'old', ['a'])
        self.assertEqual({('s', 'a', 'new'), ('s', 'a', '')}, self.found())
        ledger.keep(self.context, 's', 'new', ['a'])
        self.assertEqual({('s', 'a', '')}, self.found())

    def test_a_deletion_releases_all(self):
        self.write(row('a', ''), row('b', 'op'), row('a', stack_id='other'))
        ledger.drop(self.context, 's')
        self.assertEqual({('other', 'a', 'op')}, self.found())
