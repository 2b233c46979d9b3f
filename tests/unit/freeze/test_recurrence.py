# SPDX-License-Identifier: Apache-2.0

import calendar
import datetime
import itertools
import time

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
    ('FREQ=YEARLY;BYMONTH=11;BYDAY=4TH', '1970-11-26T18:00'),
)


def read(text, begin=BEGIN, zone=BERLIN):
    return recurrence.read(text, begin, zone)


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

    def days(self, text, begin, near, count=6):
        made = read(text, datetime.datetime.fromisoformat(begin))
        return [each.strftime('%m-%d') for each in itertools.islice((
            each for each in made.begins(datetime.datetime.fromisoformat(
                near)) if each.isoformat() >= near), count)]

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
                ('', "''", 'expected NAME=VALUE'),
                ('daily', "'DAILY'", 'expected NAME=VALUE'),
                ('INTERVAL=2', 'FREQ must be one of', 'DAILY, WEEKLY'),
                ('FREQ=HOURLY', 'FREQ must be one of', 'YEARLY'),
                ('FREQ=DAILY;COUNT=3', "'COUNT=3'", 'any of FREQ'),
                ('FREQ=DAILY;BYHOUR=3', "'BYHOUR=3'",
                 'the time of day is that of "begin"'),
                ('FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO', "'BYWEEKNO=20'"),
                ('FREQ=YEARLY;BYYEARDAY=1', "'BYYEARDAY=1'"),
                ('FREQ=DAILY;BYEASTER=0', "'BYEASTER=0'", 'expected'),
                ('FREQ=DAILY;FREQ=DAILY', "'FREQ=DAILY'", 'each once'),
                ('FREQ=DAILY;INTERVAL=0', 'INTERVAL must be', 'from 1'),
                ('FREQ=DAILY;INTERVAL=-1', 'INTERVAL must be', 'from 1'),
                ('FREQ=DAILY;UNTIL=soon', 'UNTIL=SOON', 'expected'),
                ('FREQ=DAILY;UNTIL=20261301', 'UNTIL=20261301'),
                ('FREQ=DAILY;UNTIL=19691231', 'must be one of the times'),
                ('FREQ=DAILY;BYDAY=XX', "invalid 'BYDAY': XX:"),
                ('FREQ=MONTHLY;BYDAY=0MO', "not valid: invalid 'BYDAY': "),
                ('FREQ=MONTHLY;BYMONTHDAY=0',
                 'BYMONTHDAY=0 is not valid: expected no'),
                ('FREQ=MONTHLY;BYMONTHDAY=40', 'must be one of the times'),
                ('FREQ=DAILY;BYMONTH=13', 'must be one of the times'),
                ('FREQ=DAILY;BYMONTH=1\nRDATE:19700110T180000',
                 r"'BYMONTH=1\nRDATE:1", 'expected NAME=VALUE'),
                ('FREQ=DAILY;WKST=XX', "invalid 'WKST': XX:"),
                ('FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31',
                 'must be one of the times'),
                ('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
                 'must be one of the times'),
                ('FREQ=WEEKLY;BYDAY=FR', '"begin", 1970-01-01T18:00:00, '
                 'must be one of the times')):
            error = self.assertRaises(errors.ActivationError, read, text)
            for part in wanted:
                self.assertIn(part, str(error))

    def test_what_programs_read_differently(self):
        for text, *wanted in (
                ('FREQ=WEEKLY;BYDAY=1TH', 'BYDAY=1TH with FREQ=WEEKLY',
                 'with MONTHLY and YEARLY only'),
                ('FREQ=MONTHLY;BYDAY=MO,1FR', 'BYDAY=MO,1FR',
                 'for all days or none'),
                ('FREQ=WEEKLY;BYDAY=MO,TH;BYSETPOS=1',
                 'BYSETPOS must be used with FREQ=MONTHLY')):
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
