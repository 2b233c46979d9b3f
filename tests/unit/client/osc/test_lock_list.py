# SPDX-License-Identifier: Apache-2.0

import contextlib
import io
import json
import sys

import fixtures
from osc_lib import exceptions

from heat_extras.cli import tables
from heat_extras.client import error_message
from heat_extras.client.osc import lock_list
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
            'Project': 'demo', 'Stack ID': web.id, 'ID': 'lock-of-web'}
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
        wanted = ['Stack Name', 'Level', 'Locked By', 'Expires At', 'Reason']
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
             'Pass Used At', 'Project', 'Stack ID', 'ID'],
            self.heads('--long'))

    def test_ids_are_not_wrapped_on_terminal(self):
        web = self.heat.add('web')
        web.lock({'level': 'stacks', 'reason': 'word ' * 30})
        self.useFixture(fixtures.MockPatchObject(
            tables, 'table_width', lambda arguments, stream: (
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
