# SPDX-License-Identifier: Apache-2.0

import datetime
from unittest import mock

import testtools

from heat_extras.freeze import file_parser
from heat_extras.freeze import window as windows
from heat_extras import guard
from heat_extras.stack_lock import operations
from heat_extras.stack_lock import states


# Operations that do not change stacks, operations on locks, and operations
# that are part of another operation.
_FREE = {operations.AGENT_SIGNAL, operations.EXPORT, operations.PREVIEW,
         operations.READ, operations.PROTECT, operations.UNPROTECT,
         operations.EXTEND_LOCK, operations.LOCK_PASS, operations.OTHER,
         operations.SCALE, operations.NESTED_CREATE, states.LOCK,
         states.UNLOCK,
         # Operations that end or undo an operation in progress.
         operations.CANCEL, operations.CLEAR_HOOK}

HOUR = datetime.timedelta(hours=1)
SECOND = datetime.timedelta(seconds=1)


def moment(text):
    return datetime.datetime.fromisoformat(text)


def window(**fields):
    lines = [f'  {name}: "{value}"' for name, value in fields.items()
             if name not in ('projects', 'operations')]
    lines += [f'  {name}: {fields[name]}' for name in
              ('projects', 'operations') if name in fields]
    made, = file_parser.parse(
        '\n'.join(['freezes:', '- name: test', *lines]).encode(),
        'test').windows
    return made


class SpanTest(testtools.TestCase):
    def assert_frozen(self, made, begin, end):
        begin, end = moment(begin), moment(end)
        for at, wanted in ((begin - SECOND, False), (begin, True),
                           (end - SECOND, True), (end, False)):
            self.assertEqual(wanted, made.span(at).is_frozen, at)
        self.assertEqual((begin, end), (made.span(begin).since,
                                        made.span(begin).until))

    def test_single_window_is_frozen_from_begin_to_end(self):
        self.assert_frozen(
            window(begin='2026-12-24T18:00', end='2027-01-02T06:00',
                   timezone='Europe/Berlin'),
            '2026-12-24T17:00', '2027-01-02T05:00')

    def test_nightly_window_is_frozen_across_clock_changes(self):
        made = window(begin='2020-01-01T02:30', duration='1h',
                      rrule='FREQ=DAILY', timezone='Europe/Berlin')
        # At the change to summer time, 02:30 does not exist and the night is
        # skipped. At the change back, 02:30 exists twice, and the window is
        # active once, from the first 02:30.
        self.assert_frozen(made, '2026-03-28T01:30', '2026-03-28T02:30')
        self.assertFalse(made.span(moment('2026-03-29T01:30')).is_frozen)
        self.assert_frozen(made, '2026-03-30T00:30', '2026-03-30T01:30')
        self.assert_frozen(made, '2026-10-24T00:30', '2026-10-24T01:30')
        self.assert_frozen(made, '2026-10-25T00:30', '2026-10-25T02:30')
        self.assert_frozen(made, '2026-10-26T01:30', '2026-10-26T02:30')

    def test_window_follows_clock_changes_of_time_zones(self):
        # In UTC: a night before each change, the night itself, one after.
        for zone, begin, duration, times in (
                ('America/New_York', '02:30', '2h', (
                    ('2026-03-07T07:30', '2026-03-07T09:30'),
                    ('2026-03-08T07:30', '2026-03-08T08:30'),
                    ('2026-03-09T06:30', '2026-03-09T08:30'),
                    ('2026-10-31T06:30', '2026-10-31T08:30'),
                    ('2026-11-01T07:30', '2026-11-01T09:30'),
                    ('2026-11-02T07:30', '2026-11-02T09:30'))),
                # From the first of two 01:30.
                ('America/New_York', '01:30', '1h', (
                    ('2026-11-01T05:30', '2026-11-01T07:30'),
                    ('2026-11-02T06:30', '2026-11-02T07:30'))),
                # A change of half an hour, in the south (spring in October).
                ('Australia/Lord_Howe', '02:15', '1h', (
                    ('2026-04-03T15:15', '2026-04-03T16:15'),
                    ('2026-04-04T15:45', '2026-04-04T16:45'),
                    ('2026-10-03T15:45', '2026-10-03T16:15'),
                    ('2026-10-04T15:15', '2026-10-04T16:15'))),
                # Across the change, by the clocks.
                ('Pacific/Auckland', '18:00', '23h', (
                    ('2026-04-04T05:00', '2026-04-05T05:00'),
                    ('2026-09-26T06:00', '2026-09-27T04:00'))),
                ('Pacific/Auckland', '18:00', '12h', (
                    ('2026-04-04T05:00', '2026-04-04T18:00'),
                    ('2026-09-26T06:00', '2026-09-26T17:00'))),
                ('America/St_Johns', '22:00', '8h', (
                    ('2026-03-08T01:30', '2026-03-08T08:30'),
                    ('2026-11-01T00:30', '2026-11-01T09:30'))),
                # Without any clock change.
                ('Asia/Kathmandu', '18:00', '1h', (
                    ('2026-03-29T12:15', '2026-03-29T13:15'),
                    ('2026-10-25T12:15', '2026-10-25T13:15')))):
            made = window(begin=f'2020-01-01T{begin}', duration=duration,
                          rrule='FREQ=DAILY', timezone=zone)
            for since, until in times:
                self.assertEqual((moment(since), moment(until), True), (
                    made.span(moment(since)).since,
                    made.span(moment(since)).until,
                    made.span(moment(since)).is_frozen), f'{zone} {since}')

    def test_long_window_spans_both_clock_changes(self):
        for zone, since, until in (
                ('America/New_York', '2026-03-01T05:00', '2026-12-01T05:00'),
                ('Australia/Sydney', '2026-02-28T13:00', '2026-11-30T13:00')):
            made = window(begin='2026-03-01T00:00', end='2026-12-01T00:00',
                          timezone=zone)
            self.assert_frozen(made, since, until)

    def test_yearly_window_is_frozen_each_year(self):
        made = window(begin='2020-12-24T18:00', duration='9d12h',
                      rrule='FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24')
        for year in 2020, 2026, 2052:
            self.assert_frozen(made, f'{year}-12-24T18:00',
                               f'{year + 1}-01-03T06:00')
        self.assertFalse(made.span(moment('2019-12-25T00:00')).is_frozen)
        self.assertFalse(made.span(moment('2027-06-01T00:00')).is_frozen)

    def test_window_is_not_frozen_after_until(self):
        made = window(begin='2026-01-01T18:00', duration='1h',
                      rrule='FREQ=DAILY;UNTIL=20260103T235959')
        self.assert_frozen(made, '2026-01-03T18:00', '2026-01-03T19:00')
        self.assertFalse(made.span(moment('2026-01-04T18:30')).is_frozen)

    def test_end_sets_duration_of_each_occurrence(self):
        made = window(begin='2026-01-02T16:00', end='2026-01-05T08:00',
                      rrule='FREQ=WEEKLY')
        self.assert_frozen(made, '2026-11-27T16:00', '2026-11-30T08:00')

    def test_window_longer_than_recurrence_is_always_frozen(self):
        made = window(begin='2026-01-01T18:00', duration='3d',
                      rrule='FREQ=DAILY')
        for day in range(1, 300, 7):
            at = moment('2026-01-01T18:00') + day * 24 * HOUR
            self.assertTrue(made.span(at).is_frozen)
        self.assertFalse(made.span(moment('2026-01-01T17:59')).is_frozen)

    def test_last_occurrence_lasts_beyond_until(self):
        made = window(begin='2026-01-01T18:00', duration='30d',
                      rrule='FREQ=DAILY;UNTIL=20260110T235959')
        self.assertTrue(made.span(moment('2026-02-09T17:59:59')).is_frozen)
        self.assertFalse(made.span(moment('2026-02-09T18:00')).is_frozen)

    def test_overlapping_occurrences_are_one_freeze(self):
        made = window(begin='2026-01-01T18:00', duration='30d',
                      rrule='FREQ=DAILY;UNTIL=20260110T235959')
        self.assert_frozen(made, '2026-01-01T18:00', '2026-02-09T18:00')

    def test_occurrences_without_a_gap_are_one_freeze(self):
        made = window(begin='2026-01-01T18:00', duration='1d',
                      rrule='FREQ=DAILY;UNTIL=20260103T235959')
        self.assert_frozen(made, '2026-01-01T18:00', '2026-01-04T18:00')

    def test_endless_freeze_states_end_at_least_year_later(self):
        made = window(begin='2026-01-01T18:00', duration='3d',
                      rrule='FREQ=DAILY')
        until = made.span(moment('2026-06-01T00:00')).until
        self.assertTrue(datetime.timedelta(366)
                        <= until - moment('2026-06-01T00:00')
                        <= datetime.timedelta(370))

    def test_longest_yearly_window_is_frozen_at_end_of_year(self):
        made = window(begin='1970-01-01T00:00', duration='366d',
                      rrule='FREQ=YEARLY')
        self.assertTrue(made.span(moment('2026-12-31T23:59:59')).is_frozen)

    def test_span_is_computed_once_for_its_duration(self):
        made = window(begin='1970-01-01T18:00', duration='1h',
                      rrule='FREQ=DAILY')
        start = moment('2026-11-23T00:00')
        with mock.patch.object(
                made.recurrence, 'xafter',
                wraps=made.recurrence.xafter) as asked:
            for minute in range(2 * 24 * 60):
                made.span(start + minute * HOUR / 60)
        # Before, during and after each of the two occurrences.
        self.assertEqual(5, asked.call_count)

    def test_rare_recurrence_is_computed_once(self):
        made = window(begin='1976-02-29T18:00', duration='1h',
                      rrule='FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;BYDAY=SU')
        with mock.patch.object(
                made.recurrence, 'xafter',
                wraps=made.recurrence.xafter) as asked:
            for day in range(500):
                made.span(moment('2026-11-23T00:00') + day * 24 * HOUR)
        self.assertEqual(1, asked.call_count)
        self.assertEqual(moment('2032-02-29T18:00'),
                         made.span(moment('2026-11-23T00:00')).until)


class ConcernsTest(testtools.TestCase):
    TIMES = {'begin': '2026-12-24T18:00', 'duration': '1h'}

    def test_default_window_concerns_changes_in_all_projects(self):
        made = window(**self.TIMES)
        for operation in 'create', 'update', 'snapshot delete', 'migrate':
            self.assertTrue(made.concerns(operation, 'p1'))
        for operation in 'signal', 'cancel', 'lock', 'unlock', 'protect':
            self.assertFalse(made.concerns(operation, 'p1'))

    def test_window_concerns_only_its_projects_and_operations(self):
        made = window(projects='[p1, p2]', operations='[delete, signal]',
                      **self.TIMES)
        self.assertTrue(made.concerns('signal', 'p2'))
        self.assertFalse(made.concerns('update', 'p2'))
        self.assertFalse(made.concerns('delete', 'p3'))
        self.assertFalse(made.concerns('delete', None))


class OperationsTest(testtools.TestCase):
    def test_each_operation_of_stack_lock_is_classified(self):
        self.assertEqual({*operations.TABLE, 'create'},
                         {*windows.ALL, *_FREE})

    def test_no_operation_is_classified_twice(self):
        self.assertEqual(set(), {*windows.ALL} & _FREE)
        self.assertNotIn('signal', windows.CHANGES)

    def stops(self, operations):
        names = [name.replace(' ', '_') for name in operations]
        return {*window(begin='2026-12-24T18:00', duration='1h',
                        operations=names).stops()}

    def test_stopped_actions_are_guard_actions(self):
        self.assertEqual(
            {'update', 'replace', 'delete', 'abandon', 'suspend', 'resume',
             'check', 'snapshot', 'restore', 'mark_unhealthy'},
            self.stops(windows.CHANGES))
        self.assertEqual({'signal'}, self.stops(['signal']))
        self.assertLessEqual(self.stops(windows.ALL),
                             {*guard.ACTIONS})


class ActiveTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.short = window(begin='2026-12-24T18:00', end='2026-12-25T18:00')
        self.long = window(begin='2026-12-25T06:00', end='2026-12-27T06:00')
        self.next = window(begin='2026-12-27T06:00', duration='1h')

    def test_active_windows_are_sorted_by_latest_end(self):
        unordered = [self.short, self.long, self.next]
        for at, wanted in (('2026-12-24T17:59:59', []),
                           ('2026-12-24T18:00', [self.short]),
                           ('2026-12-25T06:00', [self.long, self.short]),
                           ('2026-12-25T18:00', [self.long]),
                           ('2026-12-27T06:00', [self.next]),
                           ('2026-12-27T07:00', [])):
            self.assertEqual(
                wanted, windows.active_windows(unordered, moment(at)), at)

    def test_earliest_and_latest_time_are_accepted(self):
        made = window(begin='2020-01-01T00:00', duration='1h',
                      rrule='FREQ=DAILY')
        for at in '0001-01-01T00:00:00', '9999-12-31T23:59:59':
            windows.active_windows([made], moment(at))
