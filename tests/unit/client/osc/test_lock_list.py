# SPDX-License-Identifier: Apache-2.0

import contextlib
import io
import json
import sys

import fixtures
from osc_lib import exceptions

from heat_extras.client import error_message
from heat_extras.client.osc import lock_list
from heat_extras.output import lister
from tests.unit.client import answers
from tests.unit.client import base as client_base
from tests.unit.client.osc import base


class Terminal(io.StringIO):
    """A standard output that is a terminal."""

    def isatty(self):
        """Return True."""
        return True


class ListLocksTest(base.CommandTestCase):

    def list(self, *arguments):
        return self.call(lock_list.ListLocks, *arguments)

    def test_json_row_has_all_columns_of_lock(self):
        web = self.heat.add('web')
        web.lock({'level': 'stacks', 'reason': 'db move',
                  'expires_at': '2026-12-24T18:00:00Z'})
        self.heat.add('free')
        wanted = {
            'Stack Name': 'web', 'Level': 'stacks',
            'Status': 'LOCK_COMPLETE', 'Locked By': 'alice',
            'Locked At': '2026-11-20T10:02:11Z',
            'Expires At': '2026-12-24T18:00:00Z', 'Reason': 'db move',
            'Pass For': None, 'Pass Expires At': None, 'Pass Used At': None,
            'Project': 'demo', 'Stack ID': web.id,
            'Lock ID': 'lock-of-web'}
        for options in ((), ('--long',), ('--all-projects',)):
            code, out, err = self.list('-f', 'json', *options)
            self.assertEqual((0, ''), (code, err))
            row, = json.loads(out)
            self.assertEqual(list(wanted.items()), list(row.items()))

    def test_options_are_sent_as_query(self):
        self.list('--level', 'all', '--all-projects', '--limit', '5',
                  '--marker', 'x', '--expires-before', 'then')
        self.assertEqual(
            '/v1/demo/locks?level=all&marker=x&limit=5&expires_before=then'
            '&all_projects=true',
            self.heat.requests[0][1])

    def heads(self, *options):
        lines = self.list(*options)[1].splitlines()
        return [head.strip() for head in lines[1].strip('|').split('|')]

    def test_table_columns_do_not_depend_on_locks(self):
        wanted = ['Stack Name', 'Level', 'Status', 'Locked By', 'Expires At',
                  'Reason']
        for options in ({}, {'reason': 'word ' * 30},
                        {'expires_at': '2026-12-24T18:00:00Z'}):
            self.heat.add('web').lock({'level': 'stacks', 'reason': 'x' * 99,
                                       **options})
            for width in '60', '80', '120', '300', '0':
                self.assertEqual(wanted, self.heads('--max-width', width))
            self.assertEqual([*wanted, 'Project'],
                             self.heads('--all-projects'))

    def test_long_table_has_all_columns(self):
        self.heat.add('web').lock({'level': 'stacks', 'reason': 'x' * 99})
        self.assertEqual(
            ['Stack Name', 'Level', 'Status', 'Locked By', 'Locked At',
             'Expires At', 'Reason', 'Pass For', 'Pass Expires At',
             'Pass Used At', 'Project', 'Stack ID', 'Lock ID'],
            self.heads('--long'))

    def test_table_with_expiration_fits_80_columns(self):
        self.heat.add('web').lock({
            'level': 'stacks', 'reason': 'CHG-1042: database move to Nova',
            'expires_at': '2026-12-24T18:00:00Z'})
        lines = self.list('--max-width', '80')[1].splitlines()
        self.assertLessEqual(max(map(len, lines)), 80)
        self.assertRegex(lines[3], r'\| 2026-12- +\|')
        self.assertIn('| 24T18:00:00Z |', lines[4])

    def test_stacks_with_lock_pass_are_named_below_table(self):
        for name in 'web', 'mail', 'db':
            self.heat.add(name).lock({'level': 'stacks'})
        for stack in self.heat.stacks[:2]:
            stack.lock_pass({'user': {'id': 'bob'}, 'expires_at': 'then'})
        self.assertEqual(
            'Stacks with a lock pass: web, mail. To list the lock passes: '
            'openstack stack lock pass list\n', self.list()[2])
        self.assertEqual('', self.list('-f', 'value')[2])

    def test_ids_are_not_wrapped_on_terminal(self):
        web = self.heat.add('web')
        web.lock({'level': 'stacks', 'reason': 'word ' * 30})
        self.useFixture(fixtures.MockPatchObject(
            lister, 'table_width', lambda arguments, stream: (
                80 if stream.isatty() else sys.maxsize)))
        for self.output, count in ((io.StringIO, 1), (Terminal, 15)):
            rows = self.list('--long')[1].splitlines()[3:-1]
            self.assertEqual(count, len(rows))
            self.assertIn(f' {web.id} ', rows[0])

    def test_invalid_limit_is_rejected(self):
        for value in '0', '-1', 'x', '1.5':
            heard = io.StringIO()
            with contextlib.redirect_stderr(heard):
                self.assertRaises(SystemExit, self.list, f'--limit={value}')
            self.assertIn(f"'{value}' is not valid: expected a whole number, "
                          'at least 1', heard.getvalue())

    def test_missing_lock_list_is_reported(self):
        for name, (answer, is_sure) in answers.OF_PATHS.items():
            self.heat.refuse_list(answer)
            error = self.assertRaises(exceptions.CommandError, self.list)
            self.assertEqual(
                is_sure, error_message.MISSING_LIST in str(error), name)

    def test_error_of_heat_is_shown_unchanged(self):
        for kind in 'HTTPBadRequest', 'StackLockConflict':
            self.heat.refuse_list(client_base.fault(
                400, kind, 'Invalid marker: wanted the id of a lock.'))
            error = self.assertRaises(exceptions.CommandError, self.list)
            self.assertEqual('Invalid marker: wanted the id of a lock.',
                             str(error))


class ShowLockTest(base.CommandTestCase):

    def setUp(self):
        super().setUp()
        self.web = self.heat.add('web')

    def show(self, *arguments):
        return self.call(lock_list.ShowLock, 'web', *arguments)

    def test_table_has_fields_of_lock_with_values(self):
        self.web.lock({'level': 'all', 'reason': 'db\x1b[2J'})
        self.web.reach('LOCK_FAILED', 'Nova said no')
        code, out, err = self.show()
        rows = [[cell.strip() for cell in line.strip('|').split('|')]
                for line in out.splitlines()[3:-1]]
        self.assertEqual([
            ['Stack Name', 'web'], ['Stack ID', self.web.id],
            ['Lock ID', 'lock-of-web'], ['Level', 'all'],
            ['Status', 'LOCK_FAILED'], ['Status Reason', 'Nova said no'],
            ['Locked By', 'alice'], ['Reason', r'db\x1b[2J']], rows)

    def test_json_has_all_fields(self):
        self.web.lock({'level': 'stacks'})
        self.web.lock_pass({'user': {'id': 'bob'}, 'expires_at': 'then'})
        shown = json.loads(self.show('-f', 'json')[1])
        self.assertEqual(('bob', None), (shown['Pass For'],
                                         shown['Reason']))

    def test_stack_without_lock_is_an_error(self):
        error = self.assertRaises(exceptions.CommandError, self.show)
        self.assertEqual('Stack web is not locked.', str(error))
        self.assertEqual([], self.heat.posts())

    def test_heat_without_locks_is_reported(self):
        del self.web.body['lock_level']
        error = self.assertRaises(exceptions.CommandError, self.show)
        self.assertEqual(error_message.MISSING_LOCKS, str(error))
