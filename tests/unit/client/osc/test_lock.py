# SPDX-License-Identifier: Apache-2.0

import contextlib
import io
import json

from osc_lib import exceptions

from heat_extras.client import messages
from heat_extras.client.osc import lock
from tests.unit.client import answers
from tests.unit.client import base as client_base
from tests.unit.client.osc import base


class ListLocksTest(base.CommandTestCase):

    def list(self, *arguments):
        return self.call(lock.ListLocks, *arguments)

    def test_a_row_tells_of_a_lock(self):
        web = self.heat.add('web')
        web.lock({'level': 'stacks', 'reason': 'db move',
                  'expires_at': '2026-12-24T18:00:00Z'})
        self.heat.add('free')
        code, out, err = self.list('-f', 'json')
        self.assertEqual((0, ''), (code, err))
        self.assertEqual([{
            'ID': 'lock-of-web', 'Stack Name': 'web', 'Stack ID': web.id,
            'Project': 'demo', 'Level': 'stacks', 'Status': 'LOCK_COMPLETE',
            'Reason': 'db move', 'Locked By': 'alice',
            'Locked At': '2026-11-20T10:02:11Z',
            'Expires At': '2026-12-24T18:00:00Z', 'Pass For': None,
            'Pass Expires At': None, 'Pass Used At': None}], json.loads(out))

    def test_what_is_asked_for_is_sent(self):
        self.list('--level', 'all', '--all-projects', '--limit', '5',
                  '--marker', 'x', '--expires-before', 'then')
        self.assertEqual(
            '/v1/demo/locks?level=all&marker=x&limit=5&expires_before=then'
            '&all_projects=true',
            self.heat.requests[0][1])

    def test_tables_fit_a_terminal(self):
        for name in 'web', 'mail':
            self.heat.add(name).lock({'level': 'stacks', 'reason': 'x' * 99})
        for options, first in ((), 'Stack Name'), (('--all-projects',),
                                                   'Project'):
            lines = self.list(*options)[1].splitlines()
            self.assertLessEqual(max(map(len, lines)), 80)
            heads = [head.strip() for head in lines[1].split('|')]
            self.assertIn(first, heads)
            self.assertIn('Locked By', heads)

    def test_no_number_is_no_limit(self):
        for found in '0', '-1', 'x', '1.5':
            heard = io.StringIO()
            with contextlib.redirect_stderr(heard):
                self.assertRaises(SystemExit, self.list, f'--limit={found}')
            self.assertIn(f"found '{found}', wanted a whole number from 1",
                          heard.getvalue())

    def test_a_heat_without_the_list_is_told_of(self):
        for name, (answer, is_sure) in answers.OF_PATHS.items():
            self.heat.refuse_list(answer)
            error = self.assertRaises(exceptions.CommandError, self.list)
            self.assertIn(messages.MISSING_LIST if is_sure
                          else messages.UNSURE_LIST, str(error), name)

    def test_a_heat_that_knows_no_ends_is_told_of(self):
        said = "Invalid query: found 'expires_before', wanted any of limit."
        self.heat.refuse_list(client_base.fault(400, 'HTTPBadRequest', said))
        error = self.assertRaises(exceptions.CommandError, self.list,
                                  '--expires-before', 'x')
        self.assertEqual(f'{said} ({messages.OLDER})', str(error))

    def test_a_refusal_is_told_as_it_is(self):
        for kind in 'HTTPBadRequest', 'StackLockConflict':
            self.heat.refuse_list(client_base.fault(
                400, kind, 'Invalid marker: wanted the id of a lock.'))
            error = self.assertRaises(exceptions.CommandError, self.list)
            self.assertEqual('Invalid marker: wanted the id of a lock.',
                             str(error))
