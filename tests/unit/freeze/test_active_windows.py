# SPDX-License-Identifier: Apache-2.0

from unittest import mock

import testtools

from heat_extras.freeze import active_windows
from heat_extras.freeze import window as window_module
from tests.unit.freeze import test_window

moment, window = test_window.moment, test_window.window


class OutlookTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.short = window(begin='2026-12-24T18:00', end='2026-12-25T18:00')
        self.long = window(begin='2026-12-25T06:00', end='2026-12-27T06:00')
        self.next = window(begin='2026-12-27T06:00', duration='1h')

    def test_the_one_that_ends_last_comes_first(self):
        found = [self.short, self.long, self.next]
        for at, wanted in (('2026-12-24T17:59:59', []),
                           ('2026-12-24T18:00', [self.short]),
                           ('2026-12-25T06:00', [self.long, self.short]),
                           ('2026-12-25T18:00', [self.long]),
                           ('2026-12-27T06:00', [self.next]),
                           ('2026-12-27T07:00', [])):
            self.assertEqual(
                wanted, active_windows.active(found, moment(at)), at)

    def test_it_is_over_when_none_follows(self):
        found = [self.next, self.short, self.long]
        for windows, at, wanted in (
                (found, '2026-12-24T18:00', '2026-12-27T07:00'),
                ([self.short, self.next], '2026-12-24T18:00',
                 '2026-12-25T18:00'),
                (found, '2026-01-01T00:00', '2026-01-01T00:00')):
            self.assertEqual(moment(wanted), active_windows.end_of_freeze(
                windows, moment(at)))

    def test_it_is_found_once_for_all_who_are_refused(self):
        daily = window(begin='2026-01-01T00:00', duration='1d',
                       rrule='FREQ=DAILY')
        self.assertIsNone(active_windows.end_of_freeze(
            [daily], moment('2026-12-24T01:00')))
        with mock.patch.object(window_module.Window, '_find') as find:
            find.return_value = window_module.Span(
                moment('2026-12-24T00:00'), moment('2026-12-25T00:00'), True)
            self.assertIsNone(active_windows.end_of_freeze(
                [daily], moment('2026-12-24T02:00')))
        # The span now, and no step after it.
        self.assertEqual(1, find.call_count)

    def test_what_always_comes_again_has_no_end(self):
        # Not 24h: the night in which clocks go back has an hour more.
        for duration in '1d', '25h', '3d':
            always = window(begin='2020-01-01T00:00', duration=duration,
                            rrule='FREQ=DAILY', timezone='Europe/Berlin')
            self.assertIsNone(active_windows.end_of_freeze(
                [always], moment('2026-10-24T12:00')), duration)

    def test_working_days_end_at_the_weekend(self):
        made = window(begin='2026-01-05T00:00', duration='1d',
                      rrule='FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR')
        self.assertEqual(
            moment('2026-11-28T00:00'), active_windows.end_of_freeze(
                [made], moment('2026-11-23T12:00')))

    def test_all_times_that_there_are(self):
        made = window(begin='2020-01-01T00:00', duration='1h',
                      rrule='FREQ=DAILY')
        for at in '0001-01-01T00:00:00', '9999-12-31T23:59:59':
            active_windows.end_of_freeze([made], moment(at))
            active_windows.active([made], moment(at))
