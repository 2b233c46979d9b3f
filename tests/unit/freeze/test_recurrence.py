# SPDX-License-Identifier: Apache-2.0

import calendar
import datetime
import itertools
import time
from unittest import mock

from dateutil import rrule
import testtools

from heat_extras import errors
from heat_extras.freeze import local_time
from heat_extras.freeze import recurrence

BEGIN = datetime.datetime(1970, 1, 1, 18)
BERLIN = local_time.Zone('Europe/Berlin')

# Each with its first time.
RULES = (
    ('FREQ=DAILY', '1970-01-01T18:00'),
    ('FREQ=DAILY;INTERVAL=3', '1970-01-01T18:00'),
    ('FREQ=DAILY;BYDAY=MO,TU', '1970-01-05T18:00'),
    ('FREQ=DAILY;INTERVAL=10;BYMONTH=1,12', '1970-01-01T18:00'),
    ('FREQ=WEEKLY', '1970-01-01T18:00'),
    ('FREQ=WEEKLY;INTERVAL=2;BYDAY=FR,SU', '1970-01-02T18:00'),
    ('FREQ=WEEKLY;INTERVAL=2;BYDAY=FR,SU;WKST=SU', '1970-01-02T18:00'),
    ('FREQ=WEEKLY;BYMONTH=12', '1970-12-03T18:00'),
    ('FREQ=MONTHLY', '1970-01-31T18:00'),
    ('FREQ=MONTHLY;INTERVAL=5;BYDAY=-1FR', '1970-01-30T18:00'),
    ('FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', '1970-01-30T18:00'),
    ('FREQ=MONTHLY;BYMONTHDAY=-1', '1970-01-31T18:00'),
    ('FREQ=YEARLY', '1970-12-24T18:00'),
    ('FREQ=YEARLY', '1972-02-29T18:00'),
    ('FREQ=YEARLY;BYMONTH=3', '1970-03-31T18:00'),
    ('FREQ=YEARLY;INTERVAL=3;BYMONTH=12;BYMONTHDAY=24', '1970-12-24T18:00'),
    ('FREQ=YEARLY;BYWEEKNO=-1;BYDAY=MO', '1970-12-28T18:00'),
    ('FREQ=YEARLY;BYWEEKNO=1,20;BYDAY=MO,TH', '1970-01-01T18:00'),
    ('FREQ=YEARLY;BYYEARDAY=1,200', '1970-01-01T18:00'),
    ('FREQ=YEARLY;BYMONTH=11;BYDAY=4TH', '1970-11-26T18:00'),
)


def read(text, begin=BEGIN, zone=BERLIN):
    return recurrence.read(text, begin, zone)


def _days(since, until):
    day = datetime.datetime(since, 1, 1, 18)
    while day.year < until:
        yield day
        day += datetime.timedelta(days=1)


def _is_week(day, number):
    year, week, _ = day.isocalendar()
    # The last day that is always in the last week.
    last = datetime.date(year, 12, 28).isocalendar().week
    return week == (number if number > 0 else last + 1 + number)


class BeginsTest(testtools.TestCase):
    def test_they_are_those_of_the_rule_however_late_one_asks(self):
        for text, written in RULES:
            first = datetime.datetime.fromisoformat(written)
            made, whole = read(text, first), rrule.rrulestr(
                text, dtstart=first)
            for near in (first, datetime.datetime(1999, 12, 31, 23, 59),
                         datetime.datetime(2024, 2, 29),
                         datetime.datetime(2026, 11, 23, 18)):
                wanted = list(whole.xafter(near, count=5, inc=True))
                found = list(itertools.islice(
                    (each for each in made.begins(near) if each >= near), 5))
                self.assertEqual(wanted, found, f'{text} from {near}')

    def test_each_question_takes_a_few_steps(self):
        near = datetime.datetime(2026, 11, 23)
        for text, written in RULES:
            made = read(text, datetime.datetime.fromisoformat(written))
            before = list(itertools.takewhile(
                lambda each: each < near, made.begins(near)))
            # Those of two intervals at most; the whole rule has 20,000.
            self.assertLess(len(before), 9, text)

    def test_the_rule_is_put_near_the_time_in_question(self):
        made = read('FREQ=DAILY')
        with mock.patch.object(recurrence.rrule, 'rrulestr',
                               wraps=rrule.rrulestr) as asked:
            next(made.begins(datetime.datetime(2026, 11, 23)))
        self.assertEqual(datetime.datetime(2026, 11, 21, 18),
                         asked.call_args.kwargs['dtstart'])

    def days(self, text, begin, near, count=6):
        made = read(text, datetime.datetime.fromisoformat(begin))
        return [each.strftime('%m-%d') for each in itertools.islice((
            each for each in made.begins(datetime.datetime.fromisoformat(
                near)) if each.isoformat() >= near), count)]

    def test_positions_count_whole_weeks(self):
        # The first one begins before the window does, and so do those from
        # which dateutil is asked.
        text, begin = 'FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=2', '2026-01-07'
        for near in '2026-01-07', '2026-01-08', '2026-03-05':
            self.assertEqual({2}, {
                datetime.datetime.strptime(f'2026-{day}', '%Y-%m-%d').weekday()
                for day in self.days(text, begin, near)})
        self.assertEqual(['01-07', '01-14'], self.days(text, begin, begin, 2))

    def test_the_first_day_of_the_week(self):
        # The example of RFC 5545, 3.3.10.
        text, begin = 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU', '1997-08-05'
        for start, wanted in (
                ('', ['08-05', '08-10', '08-19', '08-24']),
                (';WKST=MO', ['08-05', '08-10', '08-19', '08-24']),
                (';WKST=SU', ['08-05', '08-17', '08-19', '08-31'])):
            self.assertEqual(wanted, self.days(text + start, begin, begin, 4))
        # Whatever else in the process thinks of weeks.
        self.addCleanup(calendar.setfirstweekday, calendar.firstweekday())
        calendar.setfirstweekday(6)
        self.assertEqual(['08-05', '08-10', '08-19', '08-24'],
                         self.days(text, begin, begin, 4))

    def test_weeks_are_those_of_iso_8601(self):
        for number in 1, 2, 51, -1, -51:
            made = read(f'FREQ=YEARLY;BYWEEKNO={number};'
                        'BYDAY=MO,TU,WE,TH,FR,SA,SU',
                        next(day for day in _days(1970, 1971)
                             if _is_week(day, number)))
            self.assertEqual(
                [day for day in _days(2000, 2028) if _is_week(day, number)],
                [day for day in itertools.takewhile(
                    lambda day: day.year < 2028, made.begins(
                        datetime.datetime(2000, 1, 1)))
                 if day.year >= 2000])

    def test_until(self):
        for until, last in (
                ('19700103', 3), ('19700103T180000', 3),
                ('19700103T175959', 2),
                # 18:00 in Berlin.
                ('19700103T170000Z', 3), ('19700103T165959Z', 2)):
            self.assertEqual(
                last, len(list(read(f'FREQ=DAILY;UNTIL={until}').begins(
                    BEGIN))), until)


class RefusedTest(testtools.TestCase):
    def test_what_is_wrong_is_told_with_what_is_wanted(self):
        for text, *wanted in (
                (None, 'found None', 'wanted an RRULE'),
                ('', "found ''", 'wanted an RRULE'),
                ('daily', "found 'DAILY'", 'wanted NAME=VALUE'),
                ('INTERVAL=2', 'found no FREQ', 'DAILY, WEEKLY'),
                ('FREQ=HOURLY', 'found FREQ=HOURLY', 'YEARLY'),
                ('FREQ=DAILY;COUNT=3', 'found COUNT', 'wanted UNTIL'),
                ('FREQ=DAILY;BYHOUR=3', 'found BYHOUR', '"begin" alone'),
                ('FREQ=DAILY;BYEASTER=0', "found 'BYEASTER=0'", 'wanted'),
                ('FREQ=DAILY;FREQ=DAILY', 'found FREQ twice'),
                ('FREQ=DAILY;INTERVAL=0', 'found INTERVAL=0', 'from 1'),
                ('FREQ=DAILY;INTERVAL=-1', 'found INTERVAL=-1', 'from 1'),
                ('FREQ=DAILY;UNTIL=soon', 'found UNTIL=SOON', 'wanted'),
                ('FREQ=DAILY;UNTIL=20261301', 'found UNTIL=20261301'),
                ('FREQ=DAILY;UNTIL=19691231', 'never comes true'),
                ('FREQ=DAILY;BYDAY=XX', "found BYDAY='XX'", 'wanted days'),
                ('FREQ=WEEKLY;BYDAY=1TH', 'found BYDAY=1TH with FREQ=WEEKLY',
                 'wanted FREQ=MONTHLY'),
                ('FREQ=MONTHLY;BYMONTHDAY=0', "found BYMONTHDAY='0'",
                 'wanted whole numbers from 1 to 31, or below 0'),
                ('FREQ=DAILY;BYMONTH=13', "found BYMONTH='13'", 'to 12'),
                ('FREQ=DAILY;BYMONTH=1\nRDATE:19700110T180000',
                 'found BYMONTH=', 'wanted whole numbers'),
                ('FREQ=DAILY;WKST=XX', "found WKST='XX'", 'wanted the first'),
                ('FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31', 'never comes true'),
                ('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', 'never comes true'),
                ('FREQ=WEEKLY;BYDAY=FR', 'first time is 1970-01-02T18:00:00',
                 'wanted it to begin at "begin", 1970-01-01T18:00:00')):
            error = self.assertRaises(errors.ActivationError, read, text)
            for part in wanted:
                self.assertIn(part, str(error))

    def test_what_the_rfc_forbids_or_leaves_open(self):
        for text, *wanted in (
                ('FREQ=MONTHLY;BYWEEKNO=20;BYDAY=MO',
                 'found BYWEEKNO with FREQ=MONTHLY, wanted FREQ= one of '
                 'YEARLY'),
                ('FREQ=DAILY;BYYEARDAY=1', 'found BYYEARDAY with FREQ=DAILY',
                 'one of YEARLY'),
                ('FREQ=WEEKLY;BYMONTHDAY=1', 'found BYMONTHDAY with '
                 'FREQ=WEEKLY', 'one of DAILY, MONTHLY, YEARLY'),
                ('FREQ=MONTHLY;BYSETPOS=1', 'found BYSETPOS alone',
                 'wanted it with days'),
                ('FREQ=MONTHLY;BYDAY=MO,1FR', 'found BYDAY=MO,1FR',
                 'wanted all of its days with numbers, or none'),
                ('FREQ=YEARLY;BYWEEKNO=20', 'found BYWEEKNO with BYDAY=,',
                 'like BYWEEKNO=20;BYDAY=MO'),
                ('FREQ=YEARLY;BYWEEKNO=20;BYDAY=1MO', 'BYDAY=1MO, wanted'),
                ('FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO;BYSETPOS=1',
                 'found BYWEEKNO with BYSETPOS=1', 'in two years'),
                ('FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO;INTERVAL=2',
                 'found BYWEEKNO with INTERVAL=2', 'in two years'),
                ('FREQ=YEARLY;BYWEEKNO=52;BYDAY=MO', "found BYWEEKNO='52'",
                 'from 1 to 51, or below 0 from the end'),
                ('FREQ=YEARLY;BYWEEKNO=-52;BYDAY=MO', "found BYWEEKNO='-52'"),
                ('FREQ=WEEKLY;BYDAY=MO,TH;BYSETPOS=1',
                 'first time is 1970-01-05T18:00:00')):
            error = self.assertRaises(errors.ActivationError, read, text)
            for part in wanted:
                self.assertIn(part, str(error))

    def test_nobody_waits_for_a_rule_that_never_comes_true(self):
        begun = time.process_time()
        self.assertRaises(errors.ActivationError, read,
                          'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30')
        self.assertLess(time.process_time() - begun, 1)

    def test_usual_spellings(self):
        for text in 'RRULE:FREQ=DAILY', 'freq=daily', ' FREQ=DAILY ':
            self.assertEqual(BEGIN, next(read(text).begins(BEGIN)))
