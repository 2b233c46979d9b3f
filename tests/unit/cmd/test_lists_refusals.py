# SPDX-License-Identifier: Apache-2.0

from oslo_serialization import jsonutils

from heat_extras.cmd import manage
from heat_extras.db import migration
from tests.unit.cmd import base
from tests.unit.db import test_counters


class ListRefusalsTest(base.CommandTestCase):
    prog = manage.PROG
    main = staticmethod(manage.main)

    def test_list_refusals_has_stack_operation_and_count(self):
        migration.upgrade(self.engine)
        self.database.add_stack('1', name='web', tenant='demo')
        test_counters.add(self.database, '1', 3)
        self.assertEqual(
            [{'project': 'demo', 'stack_name': 'web', 'stack_id': '1',
              'event': 'refused', 'operation': 'update', 'count': 3,
              'first': '2026-11-20T10:02:11Z',
              'last': '2026-11-20T10:02:11Z'}],
            jsonutils.loads(self.run_command(
                'list-refusals', '--all-projects', '--format', 'json')))
        self.assertEqual('[]\n', self.run_command(
            'list-refusals', '--project', 'x', '--format', 'json'))

    def test_list_refusals_fails_before_db_sync(self):
        self.assertIn('db_sync', self.fail_command('list-refusals'))
