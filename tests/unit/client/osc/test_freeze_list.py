# SPDX-License-Identifier: Apache-2.0

import json

from osc_lib import exceptions

from heat_extras.client import error_message
from heat_extras.client.osc import freeze_list
from tests.unit.client import answers
from tests.unit.client.osc import base

FREEZE = {'name': 'year-end', 'reason': 'no changes over the holidays',
          'begin': '2026-12-24T17:00:00Z', 'end': '2027-01-02T05:00:00Z',
          'active': False, 'operations': ['create', 'delete', 'update']}


class ListFreezesTest(base.CommandTestCase):

    def setUp(self):
        super().setUp()
        self.heat.server.freezes = 200, {'freezes': [FREEZE]}

    def test_json_has_all_fields(self):
        code, out, err = self.call(freeze_list.ListFreezes, '-f', 'json')
        self.assertEqual((0, ''), (code, err))
        row, = json.loads(out)
        self.assertEqual(list(FREEZE.values()), [
            row[name] for name in ('Name', 'Reason', 'Begin', 'End', 'Active',
                                   'Operations')])

    def test_table_fits_80_columns(self):
        out = self.call(freeze_list.ListFreezes, '--max-width', '80')[1]
        self.assertLessEqual(max(map(len, out.splitlines())), 80, out)

    def test_missing_freezes_are_reported(self):
        for name, (answer, is_sure) in answers.OF_PATHS.items():
            self.heat.server.freezes = answer
            error = self.assertRaises(exceptions.CommandError, self.call,
                                      freeze_list.ListFreezes)
            self.assertEqual(
                is_sure, error_message.MISSING_FREEZES in str(error), name)
