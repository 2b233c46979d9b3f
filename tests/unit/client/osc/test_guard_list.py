# SPDX-License-Identifier: Apache-2.0

import json

from osc_lib import exceptions

from heat_extras.client import error_message
from heat_extras.client.osc import guard_list
from tests.unit.client import answers
from tests.unit.client.osc import base

LOCK = {'kind': 'lock', 'stack_id': 'id', 'stack_name': 'web', 'name': None,
        'stops': ['update', 'delete'], 'may_stop': [], 'set_by': 'alice',
        'set_at': '2026-11-20T10:02:11Z', 'reason': 'db move',
        'lifted_by': 'actions:unlock',
        'how_to_lift': 'openstack stack unlock web',
        'expires_at': '2026-12-24T18:00:00Z'}
PLUGIN = {'kind': 'plugin', 'stack_id': 'id', 'stack_name': 'web',
          'name': 'policy_service', 'stops': [],
          'may_stop': ['update', 'replace', 'delete', 'abandon', 'suspend'],
          'set_by': None, 'set_at': None, 'lifted_by': 'the operator',
          'reason': 'Heat calls the lifecycle plugin before each of these '
                    'actions, and the plugin can deny the action',
          'how_to_lift': 'ask the operator of this Heat', 'expires_at': None}


class ListGuardsTest(base.CommandTestCase):
    def setUp(self):
        super().setUp()
        self.heat.add('web').guards = [LOCK]

    def asked(self):
        path = self.heat.requests[-1][1]
        return path.partition('/guards?')[2]

    def test_json_has_all_columns(self):
        code, out, err = self.call(guard_list.ListGuards, 'web', '-f', 'json')
        row, = json.loads(out)
        self.assertEqual(
            {'Stack Name': 'web', 'Kind': 'lock', 'Name': None,
             'Stops': ['update', 'delete'], 'May Stop': [],
             'Set By': 'alice',
             'Set At': '2026-11-20T10:02:11Z', 'Reason': 'db move',
             'Lifted By': 'actions:unlock',
             'How To Lift': 'openstack stack unlock web',
             'Expires At': '2026-12-24T18:00:00Z'}, row)
        self.assertEqual('nested=false', self.asked())

    def heads(self, width, *options):
        code, out, err = self.call(guard_list.ListGuards, 'web', '--max-width',
                                   str(width), *options)
        lines = out.splitlines()
        self.assertLessEqual(max(map(len, lines)), width, out)
        return [head.strip() for head in lines[1].strip('|').split('|')]

    def test_table_has_short_columns_at_any_width(self):
        self.heat.stacks[0].guards = [LOCK, PLUGIN]
        short = ['Kind', 'Name', 'Set By', 'Reason', 'Stops', 'How To Lift']
        for width in 80, 120, 300:
            self.assertEqual(short, self.heads(width))
        self.assertEqual(['Stack Name', *short],
                         self.heads(100, '--nested'))
        self.assertEqual(list(guard_list.COLUMNS), self.heads(400, '--long'))
        self.heat.stacks[0].guards = [LOCK]
        self.assertEqual(short, self.heads(80))

    def test_table_has_actions_that_plugin_may_stop(self):
        self.heat.stacks[0].guards = [LOCK, PLUGIN]
        lines = self.call(guard_list.ListGuards, 'web')[1].splitlines()
        self.assertIn('| may stop: abandon, delete, replace, suspend, update ',
                      lines[4])
        self.assertRegex(lines[3], r'^\| lock +\|  +\| alice ')

    def test_options_are_sent_as_query(self):
        self.call(guard_list.ListGuards, 'web', '--nested', '--blocking',
                  'a&b')
        self.assertEqual('nested=true&blocking=a%26b', self.asked())

    def refused(self, answer):
        self.heat.stacks[0].refusal = answer
        return str(self.assertRaises(exceptions.CommandError, self.call,
                                     guard_list.ListGuards, 'web'))

    def test_missing_guards_feature_is_reported(self):
        for name, (answer, is_sure) in answers.OF_PATHS.items():
            self.assertEqual(
                is_sure, error_message.MISSING_GUARDS in self.refused(answer),
                name)

    def test_response_not_from_heat_is_reported(self):
        for name, answer in answers.STRANGE.items():
            self.assertIn('not from the API of Heat', self.refused(answer),
                          name)
