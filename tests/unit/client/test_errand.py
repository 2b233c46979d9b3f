# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.


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
