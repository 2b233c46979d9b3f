# SPDX-License-Identifier: Apache-2.0

"""When a window begins again: an RRULE of iCalendar (RFC 5545).

Which days these are is dateutil's to say, but where it has another opinion
than the RFC: that is refused, or written out for it. It counts from the first
of all times, so each question is put to a rule that begins near the time in
question, in step with the one that was written.

Pure: nothing of Heat is imported.
"""

from collections import abc
import datetime
import re

from dateutil import rrule

from heat_extras import errors
from heat_extras.freeze import local_time
from heat_extras import sanitize

_STEPS = {'DAILY': 1, 'WEEKLY': 7}
_MONTHS = {'MONTHLY': 1, 'YEARLY': 12}
FREQUENCIES = (*_STEPS, *_MONTHS)

_DAYS = ('BYDAY', 'BYMONTHDAY', 'BYYEARDAY', 'BYWEEKNO')
TAKEN = ('FREQ', 'INTERVAL', 'UNTIL', 'WKST', 'BYMONTH', 'BYSETPOS', *_DAYS)

_INSTEAD = {
    'COUNT': 'UNTIL, which says when it is over',
    'BYHOUR': 'the time of day in "begin" alone',
    'BYMINUTE': 'the time of day in "begin" alone',
    'BYSECOND': 'the time of day in "begin" alone',
}
# To dateutil the first days of January are in week 53 where they are in week
# 52, and from the end of the year its weeks below -51 lack days.
_TO = {'BYMONTH': 12, 'BYMONTHDAY': 31, 'BYYEARDAY': 366, 'BYWEEKNO': 51,
       'BYSETPOS': 366}
# What the RFC forbids to go with a part; dateutil makes something of it.
_NOT_WITH = {
    'BYWEEKNO': ('DAILY', 'WEEKLY', 'MONTHLY'),
    'BYYEARDAY': ('DAILY', 'WEEKLY', 'MONTHLY'),
    'BYMONTHDAY': ('WEEKLY',)}
_WEEK = ('MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU')
_DAY = re.compile(rf'([+-]?\d{{1,2}})?(?:{"|".join(_WEEK)})', re.ASCII)
# Years after which the calendar is the same again, days of the week included;
# and where dateutil, which looks until the year 9999, has one of them left.
_CYCLE, _LATE = 400, 9600
_UNTIL = re.compile(r'(\d{8})(?:T(\d{6})(Z?))?', re.ASCII)
_MOST = 1000


class Recurrence:
    """The local times at which a window begins.

    :param parts: the rule by its names, without FREQ, INTERVAL and UNTIL.
    :param until: the last time at which it may begin.
    """

    def __init__(self, begin: datetime.datetime, frequency: str,
                 interval: int, parts: dict[str, str],
                 until: datetime.datetime | None):
        self.begin = begin
        self._frequency, self._interval = frequency, interval
        self._parts, self._until = _written_out(begin, frequency, parts), until

    def begins(self, near: datetime.datetime
               ) -> abc.Iterator[datetime.datetime]:
        """Yield the beginnings in their order, from some time on.

        :param near: a local time; all that are not before it are yielded,
            and a few that are.
        """
        for found in self._rule(self._aligned(self._start(near))):
            if self._until is not None and found > self._until:
                return
            if found >= self.begin:
                yield found

    def first(self) -> datetime.datetime | None:
        """Return the first beginning; None: there is none.

        It is looked for late in the calendar: nobody waits for thousands of
        years to go by without one.
        """
        later = (_LATE - self.begin.year) // _CYCLE * _CYCLE
        begin = self.begin.replace(year=self.begin.year + later)
        found = next((each for each in self._rule(self._aligned(begin))
                      if each >= begin), None)
        if found is None:
            return None
        first = found.replace(year=found.year - later)
        return None if self._until and first > self._until else first

    def _rule(self, start: datetime.datetime) -> rrule.rrule:
        text = ';'.join(f'{name}={value}' for name, value in {
            'FREQ': self._frequency, 'INTERVAL': self._interval,
            **self._parts}.items())
        return rrule.rrulestr(text, dtstart=start)

    def _aligned(self, start: datetime.datetime) -> datetime.datetime:
        # dateutil takes the days from its start on for the first week, and a
        # BYSETPOS counts all of it.
        if self._frequency != 'WEEKLY':
            return start
        return start - datetime.timedelta(days=(
            start.weekday() - _WEEK.index(self._parts['WKST'])) % 7)

    def _start(self, near: datetime.datetime) -> datetime.datetime:
        # In step: a whole number of intervals after what was written.
        if self._frequency in _STEPS:
            step = _STEPS[self._frequency] * self._interval
            passed = (near - self.begin).days // step - 1
            return self.begin + datetime.timedelta(
                days=max(passed, 0) * step)
        step = _MONTHS[self._frequency] * self._interval
        months = ((near.year - self.begin.year) * 12
                  + near.month - self.begin.month)
        passed = months // step - 1
        if passed < 1:
            return self.begin
        year, month = divmod(self.begin.year * 12 + self.begin.month - 1
                             + passed * step, 12)
        # The day is none that a month, or a year, may lack.
        return self.begin.replace(
            year=year, day=1,
            month=1 if self._frequency == 'YEARLY' else month + 1)


def _written_out(begin: datetime.datetime, frequency: str,
                 parts: dict[str, str]) -> dict[str, str]:
    # What else comes from the first of the times, which is another one then;
    # and from a setting of Python's that others may change.
    found = {'WKST': _WEEK[0], **parts}
    if any(name in parts for name in _DAYS) or frequency == 'DAILY':
        return found
    if frequency == 'WEEKLY':
        return {**found, 'BYDAY': _WEEK[begin.weekday()]}
    found['BYMONTHDAY'] = str(begin.day)
    if frequency == 'YEARLY':
        found.setdefault('BYMONTH', str(begin.month))
    return found


def read(found: object, begin: datetime.datetime, zone: local_time.Zone
         ) -> Recurrence:
    """Read a rule.

    :param begin: the first time, local; the rule must have it.
    :raises ActivationError: saying what was found and what was wanted.
    """
    parts = _parts(found)
    frequency = parts.pop('FREQ', None)
    if frequency not in FREQUENCIES:
        raise errors.ActivationError(
            f'found {"no FREQ" if frequency is None else f"FREQ={frequency}"},'
            f' wanted FREQ= one of {", ".join(FREQUENCIES)}')
    made = Recurrence(begin, frequency, _interval(parts.pop('INTERVAL', '1')),
                      {name: value for name, value in parts.items()
                       if name != 'UNTIL'}, _until(parts, zone))
    _check_begin(made)
    return made


def _parts(found: object) -> dict[str, str]:
    if not isinstance(found, str) or not found.strip():
        raise errors.ActivationError(
            f'found {sanitize.quote(found)}, wanted an RRULE of '
            'iCalendar, like FREQ=WEEKLY;BYDAY=FR')
    parts: dict[str, str] = {}
    for part in found.strip().upper().removeprefix('RRULE:').split(';'):
        name, equals, value = part.partition('=')
        if name in _INSTEAD:
            raise errors.ActivationError(
                f'found {name}, wanted {_INSTEAD[name]}')
        if not equals or not value or name not in TAKEN:
            raise errors.ActivationError(
                f'found {sanitize.quote(part)}, wanted NAME=VALUE with '
                f'semicolons between, NAME any of {", ".join(TAKEN)}')
        if name in parts:
            raise errors.ActivationError(f'found {name} twice')
        parts[name] = value
    for name, value in parts.items():
        _check_value(name, value, parts.get('FREQ'))
    _check_together(parts)
    return parts


def _check_together(parts: dict[str, str]) -> None:
    frequency = parts.get('FREQ', '')
    for name, never in _NOT_WITH.items():
        if name in parts and frequency in never:
            raise errors.ActivationError(
                f'found {name} with FREQ={frequency}, wanted FREQ= one of '
                + ', '.join(each for each in FREQUENCIES if each not in never))
    if 'BYWEEKNO' in parts:
        _check_weeks(parts)
    if 'BYSETPOS' in parts and not any(
            name in parts for name in ('BYMONTH', *_DAYS)):
        raise errors.ActivationError(
            'found BYSETPOS alone, wanted it with days of which it takes '
            'some, like BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1')
    days = [_DAY.fullmatch(each) for each in parts.get('BYDAY', '').split(',')]
    if len({bool(each and each[1]) for each in days}) > 1:
        raise errors.ActivationError(
            f'found BYDAY={parts["BYDAY"]}, wanted all of its days with '
            'numbers, or none; two windows can have both')


def _check_weeks(parts: dict[str, str]) -> None:
    if 'BYDAY' not in parts or any(map(str.isdigit, parts['BYDAY'])):
        raise errors.ActivationError(
            f'found BYWEEKNO with BYDAY={parts.get("BYDAY", "")}, wanted the '
            'days of that week, without numbers, like BYWEEKNO=20;BYDAY=MO')
    if 'BYSETPOS' in parts or parts.get('INTERVAL', '1') != '1':
        name = 'BYSETPOS' if 'BYSETPOS' in parts else 'INTERVAL'
        raise errors.ActivationError(
            f'found BYWEEKNO with {name}={parts[name]}, wanted it without: a '
            'week can be in two years')


def _check_value(name: str, value: str, frequency: str | None) -> None:
    # dateutil passes over some of what is wrong, and takes lines of its own.
    for found in value.split(','):
        if name in _TO and not _is_number(found, _TO[name],
                                          name != 'BYMONTH'):
            raise errors.ActivationError(
                f'found {name}={sanitize.quote(found)}, wanted whole numbers '
                f'from 1 to {_TO[name]}'
                + (', or below 0 from the end' if name != 'BYMONTH' else ''))
        if name == 'BYDAY':
            _check_day(found, frequency)
    if name == 'WKST' and value not in _WEEK:
        raise errors.ActivationError(
            f'found WKST={sanitize.quote(value)}, wanted the first day of the '
            'week, MO or SU')


def _is_number(text: str, most: int, is_signed: bool) -> bool:
    match = re.fullmatch(r'([+-]?)(\d{1,3})', text, re.ASCII)
    return (match is not None and 1 <= int(match[2]) <= most
            and (is_signed or match[1] != '-'))


def _check_day(text: str, frequency: str | None) -> None:
    match = _DAY.fullmatch(text)
    if match is None or match[1] and not _is_number(match[1], 53, True):
        raise errors.ActivationError(
            f'found BYDAY={sanitize.quote(text)}, wanted days like FR, or '
            'like -1FR for the last Friday')
    if match[1] and frequency in _STEPS:
        raise errors.ActivationError(
            f'found BYDAY={text} with FREQ={frequency}, wanted FREQ=MONTHLY '
            'or YEARLY, or the day without its number, which is each one')


def _interval(text: str) -> int:
    if not re.fullmatch(r'\d{1,4}', text, re.ASCII) or not (
            1 <= int(text) <= _MOST):
        raise errors.ActivationError(
            f'found INTERVAL={text}, wanted a whole number from '
            f'1 to {_MOST}')
    return int(text)


def _until(parts: dict[str, str], zone: local_time.Zone
           ) -> datetime.datetime | None:
    text = parts.get('UNTIL')
    if text is None:
        return None
    match = _UNTIL.fullmatch(text)
    try:
        if match is None:
            raise ValueError
        # A day counts until it is over.
        moment = datetime.datetime.strptime(
            match[1] + (match[2] or '235959'), '%Y%m%d%H%M%S')
        return zone.to_local(moment) if match[3] else moment
    except (ValueError, OverflowError) as error:
        raise errors.ActivationError(
            f'found UNTIL={text}, wanted a day, or a time without Z where '
            'the window is or with Z in UTC, like UNTIL=20271231 or '
            'UNTIL=20271231T180000') from error


def _check_begin(made: Recurrence) -> None:
    try:
        first = made.first()
    # What else dateutil does not take.
    except Exception as error:
        raise errors.ActivationError(
            f'found a rule that is none ({error}), wanted an '
            'RRULE of iCalendar') from error
    if first is None:
        raise errors.ActivationError(
            'found a rule that never comes true, wanted one '
            'with "begin" among its times')
    if first != made.begin:
        raise errors.ActivationError(
            f'found a rule whose first time is {first.isoformat()}, wanted '
            f'it to begin at "begin", {made.begin.isoformat()}; change '
            'either')
