# SPDX-License-Identifier: Apache-2.0

import types

from heat_extras.freeze import guards
from tests.unit.freeze import test_check
from tests.unit.freeze import test_window

moment = test_window.moment


class ListGuardsTest(test_check.FreezeTestCase):
    def listed(self, at=None, project='p1'):
        return guards.list_guards(self.context, types.SimpleNamespace(
            at=at and moment(at), stack=types.SimpleNamespace(
                id='1234', tenant=project)))

    def test_active_freeze_is_listed(self):
        self.freeze(reason='holidays', operations='[update, signal]')
        listed, = self.listed()
        self.assertEqual(
            ('freeze', '1234', 'test', ('update', 'replace', 'signal'),
             'holidays', 'nobody', 'try again at 2026-12-24T19:00:00Z',
             moment('2026-12-24T18:00'), moment('2026-12-24T19:00')),
            (listed.kind, listed.stack_id, listed.name, listed.stops,
             listed.reason, listed.lifted_by, listed.how_to_lift,
             listed.set_at, listed.expires_at))

    def test_freezes_at_given_time_are_listed(self):
        self.hold(test_window.window(
            begin='2026-12-24T18:00', duration='1h', rrule='FREQ=YEARLY'))
        for at, count in (('2030-12-24T18:30', 1), ('2030-12-24T19:00', 0),
                          ('2025-12-24T18:30', 0)):
            self.assertEqual(count, len(self.listed(at)), at)

    def test_freezes_at_latest_and_earliest_time_are_listed(self):
        self.hold(test_window.window(
            begin='2026-12-24T00:00', duration='1d', rrule='FREQ=DAILY',
            timezone='America/New_York'))
        listed, = self.listed('9999-12-31T23:59:59')
        self.assertEqual(2201, listed.expires_at.year)
        self.assertEqual([], self.listed('0001-01-01T00:00'))

    def test_freezes_of_other_project_or_exempt_caller_are_omitted(self):
        self.freeze(projects='[p2]')
        self.assertEqual([], self.listed())
        self.assertEqual(1, len(self.listed(project='p2')))
        self.freeze(exempt='role:admin')
        self.assertEqual(['role:admin'], [
            each.lifted_by for each in self.listed()])
        self.freeze(exempt='role:member')
        self.assertEqual([], self.listed())

    def test_no_guards_are_listed_without_freezes_file(self):
        self.assertEqual([], self.listed())
