# SPDX-License-Identifier: Apache-2.0

import json

from testtools import matchers

from heat_extras.client.osc import stack
from tests.unit.client import base as client_base
from tests.unit.client.osc import base


class ErrandTest(base.CommandTestCase):

    def lock(self, *arguments):
        return self.call(stack.LockStack, *arguments)

    def test_a_dead_server_is_a_failure_of_each_stack(self):
        with client_base.HeatServer() as self.heat:
            pass
        code, out, err = self.lock('web', 'db', '-f', 'json')
        self.assertEqual(1, code)
        self.assertEqual(['web', 'db'],
                         [row['Stack Name'] for row in json.loads(out)])
        self.assertThat(err, matchers.StartsWith(
            'stack web: Unable to establish connection to http'))

    def test_done_is_done_even_where_show_is_forbidden(self):
        web = self.heat.add('web')
        web.show_refusal = client_base.fault(403, 'Forbidden', 'Not yours.')
        code, out, err = self.lock('--level', 'stacks', 'web', '-f', 'json')
        self.assertEqual(0, code)
        row, = json.loads(out)
        self.assertEqual(('web', 'Not yours.', 'locked'),
                         (row['Stack Name'], row['Stack Status'],
                          row['Result']))

    def test_a_refusal_shows_who_holds_the_lock(self):
        web = self.heat.add('web')
        web.lock({'level': 'stacks', 'reason': 'mine'})
        web.refusal = client_base.fault(409, 'StackLocked', 'No.')
        code, out, err = self.lock('web', '-f', 'json')
        row, = json.loads(out)
        self.assertEqual(('LOCK_COMPLETE', 'mine', 'alice', 'No.'),
                         (row['Stack Status'], row['Lock Reason'],
                          row['Locked By'], row['Result']))
