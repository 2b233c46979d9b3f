# SPDX-License-Identifier: Apache-2.0

"""When a window begins again: an RRULE of iCalendar (RFC 5545).

dateutil finds the days. What it reads in another way than the RFC is refused.

Pure: nothing of Heat is imported.
"""

from collections import abc
import datetime
import re

from dateutil import rrule

from heat_extras import errors
from heat_extras.freeze import local_time
from heat_extras import sanitize

FREQUENCIES = ('DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY')
TAKEN = ('FREQ', 'INTERVAL', 'UNTIL', 'WKST', 'BYMONTH', 'BYMONTHDAY',
         'BYDAY', 'BYSETPOS')

_PART = re.compile(r'([A-Z]+)=([A-Z0-9,+-]+)')
_ZERO = re.compile(r'(?<!\d)0+(?!\d)')
_UNTIL = re.compile(r'(\d{8})(?:T(\d{6})(Z?))?', re.ASCII)
_MOST = 1000
# Years after which the calendar is the same again, days of the week included;
# and where dateutil, which looks until the year 9999, has one of them left.
_CYCLE, _LATE = 400, 9600


class Recurrence:
    """The local times at which a window begins.

    :param rule: an RRULE without UNTIL.
    :param until: the last time at which it may begin.
    """

    def __init__(self, begin: datetime.datetime, rule: str,
                 until: datetime.datetime | None):
        self.begin = begin
        self._text, self._until = rule, until
        self._rule = rrule.rrulestr(rule, dtstart=begin, cache=True)

    def begins(self, near: datetime.datetime
               ) -> abc.Iterator[datetime.datetime]:
        """Yield the beginnings in their order, from a local time on."""
        for found in self._rule.xafter(near, inc=True):
            if self._until is not None and found > self._until:
                return
            yield found

    def has_begin(self) -> bool:
        """Return whether "begin" is one of its times.

        It is looked for late in the calendar, where a rule that never matches
        comes to an end soon.
        """
        cycles = (_LATE - self.begin.year) // _CYCLE
        late = self.begin.replace(year=self.begin.year + cycles * _CYCLE)
        return (late in rrule.rrulestr(self._text, dtstart=late)
                and (self._until is None or self.begin <= self._until))


def read(found: str, begin: datetime.datetime, zone: local_time.Zone
         ) -> Recurrence:
    """Read a rule.

    :param begin: the first time, local; the rule must have it.
    :raises ActivationError: saying what was found and what was wanted.
    """
    parts = _parts(found)
    _check(parts)
    until = _until(parts.pop('UNTIL', None), zone)
    # Else dateutil takes a setting of Python that others may change.
    rule = ';'.join('='.join(part) for part in {'WKST': 'MO', **parts}.items())
    try:
        made = Recurrence(begin, rule, until)
        has_begin = made.has_begin()
    except Exception as error:
        raise errors.ActivationError(
            f'the rule is not valid: {error}: expected an RRULE of iCalendar'
        ) from error
    if not has_begin:
        raise errors.ActivationError(
            f'"begin", {begin.isoformat()}, must be one of the times of the '
            'rule')
    return made


def _parts(found: str) -> dict[str, str]:
    parts: dict[str, str] = {}
    for part in found.strip().upper().removeprefix('RRULE:').split(';'):
        match = _PART.fullmatch(part)
        if match is None or match[1] not in TAKEN or match[1] in parts:
            raise errors.ActivationError(
                f'{sanitize.quote(part)} is not valid: '
                'expected NAME=VALUE with '
                f'semicolons between, NAME any of {", ".join(TAKEN)}, each '
                'once; the time of day is that of "begin"')
        parts[match[1]] = match[2]
    return parts


def _check(parts: dict[str, str]) -> None:
    frequency = parts.get('FREQ')
    if frequency not in FREQUENCIES:
        raise errors.ActivationError(
            f'FREQ must be one of {", ".join(FREQUENCIES)}')
    interval = parts.get('INTERVAL', '1')
    if not interval.isdigit() or not 1 <= int(interval) <= _MOST:
        raise errors.ActivationError(
            f'INTERVAL must be a whole number from 1 to {_MOST}')
    for name in ('BYMONTH', 'BYMONTHDAY'):
        # dateutil ignores it, and matches every day.
        if _ZERO.search(parts.get(name, '')):
            raise errors.ActivationError(
                f'{name}={parts[name]} is not valid: expected no 0')
    _check_days(frequency, parts)


def _check_days(frequency: str, parts: dict[str, str]) -> None:
    days = parts.get('BYDAY', '')
    numbered = {any(map(str.isdigit, each)) for each in days.split(',')}
    if True in numbered and (
            len(numbered) > 1 or frequency in ('DAILY', 'WEEKLY')):
        raise errors.ActivationError(
            f'BYDAY={days} with FREQ={frequency} is not valid: expected '
            'numbers of days with MONTHLY and YEARLY only, for all days or '
            'none')
    if 'BYSETPOS' in parts and frequency in ('DAILY', 'WEEKLY'):
        raise errors.ActivationError(
            'BYSETPOS must be used with FREQ=MONTHLY or FREQ=YEARLY')


def _until(text: str | None, zone: local_time.Zone
           ) -> datetime.datetime | None:
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
            f'UNTIL={text} is not valid: '
            'expected a day, or a time without Z where '
            'the window is or with Z in UTC, like UNTIL=20271231 or '
            'UNTIL=20271231T180000') from error
