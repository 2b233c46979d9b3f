# SPDX-License-Identifier: Apache-2.0

from heat_extras.freeze import guard
from tests.unit.freeze import test_guard_check
from tests.unit.freeze import test_window

DAY = {'begin': '2026-12-24T00:00', 'duration': '1h'}


class ListFreezesTest(test_guard_check.FreezeTestCase):

    def listed(self, *windows):
        self.hold(*(test_window.window(**{**DAY, **each})
                    for each in windows))
        return [(each['begin'], each['end'], each['active'])
                for each in guard.list_freezes(self.context)]

    def test_current_and_next_periods_are_listed(self):
        self.assertEqual(
            [('2026-12-24T17:30:00Z', '2026-12-24T18:30:00Z', True),
             ('2026-12-25T00:00:00Z', '2026-12-25T01:00:00Z', False),
             ('2027-01-04T08:00:00Z', '2027-01-04T09:00:00Z', False)],
            self.listed({'begin': '2027-01-04T08:00'},
                        {'rrule': 'FREQ=DAILY'},
                        {'begin': '2026-12-24T17:30'}))

    def test_past_freezes_are_omitted(self):
        self.assertEqual([], self.listed({}, {
            'rrule': 'FREQ=DAILY;UNTIL=20261224T000000'}))

    def test_freezes_of_other_project_or_exempt_caller_are_omitted(self):
        daily = {'rrule': 'FREQ=DAILY'}
        self.assertEqual(1, len(self.listed(
            {**daily, 'projects': '[p2]'}, {**daily, 'projects': '[p1]'},
            {**daily, 'exempt': 'role:member'})))

    def test_operations_are_named_as_in_the_file(self):
        self.hold(test_window.window(
            **DAY, rrule='FREQ=DAILY', reason='holidays',
            operations='[update, snapshot_delete]'))
        listed, = guard.list_freezes(self.context)
        self.assertEqual(
            ('test', 'holidays', ['snapshot_delete', 'update']),
            (listed['name'], listed['reason'], listed['operations']))
