# SPDX-License-Identifier: Apache-2.0

import datetime
import os
import subprocess
import sys

from oslo_serialization import jsonutils
import sqlalchemy

from heat_extras.cmd import lists
from heat_extras.cmd import manage
from heat_extras.db import migration
from heat_extras.db import schema_check
from tests.unit.cmd import base


class ManageTestCase(base.CommandTestCase):
    prog = manage.PROG
    main = staticmethod(manage.main)


class SyncTest(ManageTestCase):

    def test_db_sync_adds_missing_columns_and_tables(self):
        self.run_command('db_sync')
        self.assertEqual([], schema_check.list_missing(self.engine))

    def test_db_version_is_none_before_db_sync_and_head_after(self):
        self.assertEqual('none\n', self.run_command('db_version'))
        self.run_command('db_sync')
        self.assertEqual(migration.newest_revision() + '\n',
                         self.run_command('db_version'))

    def test_db_sync_without_heat_tables_names_heat_manage(self):
        path = self.home.join('empty.sqlite')
        self.assertIn('heat-manage db_sync', self.fail_command(
            'db_sync', connection='sqlite:///' + path))


class DowngradeTest(ManageTestCase):

    def test_db_downgrade_finds_locks_if_columns_are_missing(self):
        migration.upgrade(self.engine)
        self.database.add_locked_stack('1234', name='web')
        with self.engine.begin() as connection:
            connection.execute(sqlalchemy.text(
                'ALTER TABLE stack DROP COLUMN lock_id'))
        self.assertIn('1 locked stack: web (1234).',
                      self.fail_command('db_downgrade'))

    def test_db_downgrade_is_rejected_while_stack_is_locked(self):
        migration.upgrade(self.engine)
        self.database.add_locked_stack('1234', name='web')
        before = self.database.schema(), self.database.rows('stack')
        message = self.fail_command('db_downgrade')
        self.assertIn('1 locked stack: web (1234).', message)
        self.assertIn('--unlock-all', message)
        after = self.database.schema(), self.database.rows('stack')
        self.assertEqual(before, after)

    def test_db_downgrade_error_names_first_ten_locked_stacks(self):
        migration.upgrade(self.engine)
        for number in range(12):
            self.database.add_locked_stack(str(number), name='s%d' % number)
        message = self.fail_command('db_downgrade')
        self.assertIn('12 locked stacks', message)
        self.assertIn('and 2 more', message)

    def test_db_downgrade_with_unlock_all_unlocks_stacks(self):
        before = self.database.schema()
        migration.upgrade(self.engine)
        self.database.add_locked_stack('1')
        lines = self.run_command('db_downgrade', '--unlock-all').splitlines()
        self.assertEqual('1 stack unlocked: web (1).', lines[0])
        self.assertStartsWith('Removed: stack.lock_level, ', lines[1])
        self.assertEqual(before, self.database.schema())

    def test_db_downgrade_is_rejected_while_stack_is_protected(self):
        before = self.database.schema()
        migration.upgrade(self.engine)
        self.database.add_protected_stack('1')
        message = self.fail_command('db_downgrade', '--unlock-all')
        self.assertIn('Found 1 protected stack: web (1).', message)
        self.assertIn('--unprotect-all', message)
        self.assertEqual('of-1', self.database.rows('stack')[0][
            'delete_protection_id'])
        output = self.run_command('db_downgrade', '--unprotect-all')
        self.assertStartsWith('1 stack unprotected: web (1).\nRemoved: ',
                              output)
        self.assertEqual(before, self.database.schema())

    def test_db_downgrade_needs_unlock_all_and_unprotect_all(self):
        migration.upgrade(self.engine)
        self.database.add_locked_stack('1')
        self.database.add_protected_stack('2')
        before = self.database.rows('stack')
        for option in '--unlock-all', '--unprotect-all':
            self.fail_command('db_downgrade', option)
            self.assertEqual(before, self.database.rows('stack'))

    def assertStartsWith(self, start, text):
        self.assertEqual(start, text[:len(start)])


class ListLocksTest(ManageTestCase):

    def setUp(self):
        super().setUp()
        migration.upgrade(self.engine)
        self.database.add_locked_stack('1234', name='web')
        self.database.add_locked_stack(
            '5678', name='web-nested', owner_id='1234')

    def heads(self, *options):
        lines = self.run_command('list-locks', *options).splitlines()
        self.assertIn(' LOCK_COMPLETE ', lines[3])
        return [each.strip() for each in lines[1].strip('|').split('|')]

    def test_list_locks_table_has_default_or_all_columns(self):
        self.assertEqual(['stack_name', 'stack_id', 'level', 'status'],
                         self.heads())
        self.assertEqual(list(lists.LOCK_COLUMNS), self.heads('--long'))

    def test_list_locks_shows_expiration_of_current_lock(self):
        self.database.add_locked_stack(
            '9', {'expires_at': datetime.datetime(2026, 12, 24, 18),
                  'set_at': datetime.datetime(2026, 11, 21, microsecond=5)},
            name='mail')
        self.database.add_locked_stack('9-nested', owner_id='9', name='part')
        body = jsonutils.loads(self.run_command(
            'list-locks', '--all', '-f', 'json'))
        self.assertEqual(
            {'web': None, 'web-nested': None, 'mail': '2026-12-24T18:00:00Z',
             'part': '2026-12-24T18:00:00Z'},
            {row['stack_name']: row['expires_at'] for row in body})
        # In the format of the API, without microseconds.
        self.assertEqual('2026-11-21T00:00:00Z', body[-1]['locked_at'])

    def test_list_locks_table_fits_80_columns(self):
        for number in range(3):
            self.database.add_locked_stack(
                f'{number}' * 36, name='a-stack')
        lines = self.run_command('list-locks').splitlines()
        self.assertLessEqual(max(map(len, lines)), 80)

    def test_list_locks_all_includes_nested_stacks(self):
        lines = self.run_command(
            'list-locks', '--all', '--format', 'csv').splitlines()
        self.assertEqual(3, len(lines))


class ListProtectedTest(ManageTestCase):

    def test_list_protected_has_user_time_and_reason(self):
        migration.upgrade(self.engine)
        self.database.add_protected_stack('1234')
        document, = jsonutils.loads(self.run_command(
            'list-protected', '-f', 'json'))
        self.assertEqual({
            'project': 'demo', 'stack_name': 'web', 'stack_id': '1234',
            'rank': 'member', 'protected_by': 'alice',
            'protected_at': '2026-11-20T10:02:11Z',
            'reason': 'the only copy',
            'tag': None}, document)
        self.assertEqual([], jsonutils.loads(self.run_command(
            'list-protected', '--project', 'other', '-f', 'json')))

    def test_list_protected_has_stacks_protected_by_tag(self):
        migration.upgrade(self.engine)
        self.database.add_protected_stack('1234')
        self.database.add_stack('5678', name='db')
        for stack_id in '1234', '5678':
            self.database.insert('stack_tag', {
                'stack_id': stack_id, 'tag': 'keep'})

        def listed(*words, more='[heat_extras]\n'
                                'delete_protection_tag = keep\n'):
            return [(each['stack_id'], each['protected_by'], each['tag'])
                    for each in jsonutils.loads(self.run_command(
                        'list-protected', '-f', 'json', *words, more=more))]
        self.assertEqual([('1234', 'alice', None)], listed(more=''))
        self.assertEqual([('1234', 'alice', 'keep'), ('5678', None, 'keep')],
                         listed())
        self.assertEqual([], listed('--project', 'other'))

    def test_list_protected_has_stacks_with_tag_of_resources(self):
        migration.upgrade(self.engine)
        for stack_id, *tags in (('1', 'keep-all'), ('2', 'keep-all', 'keep'),
                                ('3', 'keep'), ('4', 'Keep-All')):
            self.database.add_stack(stack_id, name=f's{stack_id}')
            for tag in tags:
                self.database.insert('stack_tag', {
                    'stack_id': stack_id, 'tag': tag})
        listed = jsonutils.loads(self.run_command(
            'list-protected', '-f', 'json', more=(
                '[heat_extras]\ndelete_protection_tag = keep\n'
                'resource_protection_tag = keep-all\n')))
        self.assertEqual(
            [('1', 'keep-all'), ('2', 'keep-all'), ('3', 'keep')],
            [(each['stack_id'], each['tag']) for each in listed])


class PurgeTest(ManageTestCase):

    def test_purge_prints_number_of_deleted_rows(self):
        migration.upgrade(self.engine)
        self.database.insert('heat_extras_ignored_signal', {
            'resource_id': 7, 'stack_id': 'gone', 'resource_name': 'policy',
            'count': 3})
        self.assertEqual('1 row deleted.\n', self.run_command('purge'))
        self.assertEqual([], self.database.rows('heat_extras_ignored_signal'))


class FailureTest(ManageTestCase):

    def test_missing_connection_option_is_reported(self):
        path = self.write_config(None)
        error = self.assertRaises(SystemExit, self.run_main,
                                  '--config-file', path, 'db_sync')
        message = self.check_message(error)
        self.assertIn('[database] connection', message)
        self.assertIn(path, message)

    def test_missing_config_file_is_reported(self):
        error = self.assertRaises(SystemExit, self.run_main, '--config-file',
                                  self.home.join('nowhere.conf'), 'db_sync')
        self.assertIn('nowhere.conf', self.check_message(error))

    def test_unreachable_database_is_reported(self):
        self.assertIn('unable to open', self.fail_command(
            'db_sync', connection='sqlite:////nonexistent/heat.sqlite'))

    def test_missing_columns_are_reported_with_db_sync(self):
        for words in (['list-locks'], ['purge']):
            message = self.fail_command(*words)
            self.assertIn('stack.lock_level', message)
            self.assertIn('heat-extras-manage db_sync', message)

    def test_a_single_missing_column_is_named(self):
        migration.upgrade(self.engine)
        with self.engine.begin() as connection:
            connection.execute(sqlalchemy.text(
                'ALTER TABLE stack DROP COLUMN lock_id'))
        self.assertIn('missing in the database: stack.lock_id.',
                      self.fail_command('list-locks'))


class ProcessTest(ManageTestCase):

    def run_process(self, *words, connection=None):
        return subprocess.run(
            [sys.executable, '-c',
             'from heat_extras.cmd import manage; manage.main()',
             '--config-file', self.write_config(connection), *words],
            capture_output=True, text=True, timeout=120,
            env=dict(os.environ, HOME=self.home.path))

    def test_failure_is_one_line_and_status_1(self):
        process = self.run_process('db_sync')
        self.assertEqual(1, process.returncode)
        self.assertEqual('', process.stdout)
        self.assertIn('[database] connection', process.stderr)
        self.assertEqual(1, len(process.stderr.splitlines()))

    def test_stdout_has_result_only(self):
        process = self.run_process(
            'db_version', connection=self.database.url)
        self.assertEqual(0, process.returncode, process.stderr)
        self.assertEqual('none\n', process.stdout)
