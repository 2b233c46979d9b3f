# SPDX-License-Identifier: Apache-2.0

"""Rules against a walk through the calendar, day by day, without dateutil."""

import datetime
import itertools
import zoneinfo

import testtools

from heat_extras.freeze import recurrence

UTC = zoneinfo.ZoneInfo('UTC')

DAY = datetime.timedelta(days=1)
_ASKED = tuple(map(datetime.datetime.fromisoformat, (
    '2001-03-07T03:00', '2024-02-29T20:00', '2027-12-31T19:00')))
_MO, _TU, _WE, _TH, _FR, _SA, _SU = range(7)


def days(since, until):
    day = datetime.datetime(since, 1, 1, 18)
    while day.year < until:
        yield day
        day += DAY


def number(day):
    """Return the position of a day among the same weekdays of its month."""
    return (day.day - 1) // 7 + 1


def from_end(day):
    return number((day.replace(day=28) + 4 * DAY).replace(day=1) - DAY
                  - (day.day - 1) * DAY)


def working_days(day):
    return [each for each in days(day.year, day.year + 1)
            if each.month == day.month and each.weekday() <= _FR]


def weeks(day, first, start=_MO):
    """Return the number of weeks from the week of the first day to a day."""
    return ((day - (day.weekday() - start) % 7 * DAY)
            - (first - (first.weekday() - start) % 7 * DAY)).days // 7


def of_year(day):
    return day.timetuple().tm_yday


# Whether a rule matches a day. The second argument is its first day.
RULES = {
    'FREQ=MONTHLY;BYDAY=-1FR':
        lambda day, _: day.weekday() == _FR and from_end(day) == 1,
    'FREQ=MONTHLY;BYDAY=2TU,-1FR':
        lambda day, _: (day.weekday(), number(day)) == (_TU, 2)
        or (day.weekday(), from_end(day)) == (_FR, 1),
    'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1':
        lambda day, _: day == working_days(day)[-1],
    'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1,-2':
        lambda day, _: day in (working_days(day)[0], working_days(day)[-2]),
    'FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR':
        lambda day, _: (day.weekday(), day.day) == (_FR, 13),
    'FREQ=MONTHLY;BYMONTHDAY=1,-1':
        lambda day, _: day.day == 1 or (day + DAY).day == 1,
    'FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=31':
        lambda day, first: day.day == 31
        and (day.month - first.month) % 3 == 0,
    'FREQ=YEARLY;BYDAY=20MO':
        lambda day, _: day.weekday() == _MO
        and (of_year(day) - 1) // 7 + 1 == 20,
    'FREQ=YEARLY;BYMONTH=11;BYDAY=4TH':
        lambda day, _: (day.month, day.weekday(), number(day))
        == (11, _TH, 4),
    'FREQ=YEARLY;BYMONTHDAY=24':
        lambda day, _: day.day == 24,
    'FREQ=YEARLY;BYMONTH=3,9':
        lambda day, first: day.month in (3, 9) and day.day == first.day,
    'FREQ=YEARLY;BYMONTH=3;BYDAY=SU;BYSETPOS=-1':
        lambda day, _: (day.month, day.weekday(), from_end(day))
        == (3, _SU, 1),
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR':
        lambda day, first: day.weekday() in (_MO, _FR)
        and weeks(day, first) % 2 == 0,
    'FREQ=WEEKLY;INTERVAL=3;BYDAY=SU,WE;WKST=SU':
        lambda day, first: day.weekday() in (_SU, _WE)
        and weeks(day, first, _SU) % 3 == 0,
    'FREQ=WEEKLY;BYMONTH=12':
        lambda day, first: (day.month, day.weekday())
        == (12, first.weekday()),
    'FREQ=DAILY;INTERVAL=10;BYMONTH=1,12':
        lambda day, first: day.month in (1, 12)
        and (day - first).days % 10 == 0,
    'FREQ=DAILY;BYMONTHDAY=1,15;BYDAY=MO':
        lambda day, _: day.day in (1, 15) and day.weekday() == _MO,
}


class CalendarTest(testtools.TestCase):
    def test_recurrences_match_calendar(self):
        for text, is_one in RULES.items():
            possible = [day for day in days(1997, 1999) if is_one(day, day)]
            for first in *possible[:3], possible[-1]:
                made = recurrence.parse(text, first, UTC)
                for near in (first, *_ASKED):
                    self.assert_days(made, near, [
                        day for day in days(near.year, near.year + 4)
                        if day >= near and is_one(day, first)][:6],
                        f'{text} since {first}, near {near}')

    def assert_days(self, made, near, wanted, description):
        self.assertNotEqual([], wanted, description)
        self.assertEqual(wanted, list(itertools.islice(
            made.xafter(near, inc=True), len(wanted))), description)
