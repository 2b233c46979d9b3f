# SPDX-License-Identifier: Apache-2.0

"""Times as an operator writes them, in the time zone of a window.

Of the two times that clocks show twice, the first one is meant, and one that
they leave out is as long after the change as it would be without: as
iCalendar has it (RFC 5545, 3.3.5).

Pure: nothing of Heat is imported.
"""

import datetime
import re
import typing
import zoneinfo

from heat_extras import errors
from heat_extras import sanitize

UTC = datetime.timezone.utc

#: The longest that a window lasts each time.
MOST_DAYS = 366

_WRITTEN = re.compile(
    r'(?P<date>\d{4}-\d\d-\d\d)[T ](?P<time>\d\d:\d\d(?::\d\d)?)'
    r'(?P<zone>Z|[+-]\d\d:?\d\d)?', re.ASCII)
_UNITS = {'d': 'days', 'h': 'hours', 'm': 'minutes', 's': 'seconds'}
_LASTING = re.compile(
    ''.join(rf'(?:(?P<{name}>\d{{1,7}}){unit})?'
            for unit, name in _UNITS.items()), re.ASCII)


class Zone:
    """A time zone, between its clocks and UTC without a zone."""

    def __init__(self, name: str = 'UTC'):
        self.name = name
        self._zone = zoneinfo.ZoneInfo(name)

    def to_utc(self, local: datetime.datetime) -> datetime.datetime:
        """Return which moment a clock there means."""
        return (local.replace(tzinfo=self._zone).astimezone(UTC)
                .replace(tzinfo=None))

    def to_local(self, moment: datetime.datetime) -> datetime.datetime:
        """Return what a clock there shows."""
        return (moment.replace(tzinfo=UTC).astimezone(self._zone)
                .replace(tzinfo=None, fold=0))


def zone(found: str) -> Zone:
    """Read the name of a time zone.

    :raises ActivationError: saying what was found and what was wanted.
    """
    try:
        return Zone(found)
    # ZoneInfo opens a file of that name: a folder is an OSError.
    except (ValueError, OSError, zoneinfo.ZoneInfoNotFoundError) as error:
        raise errors.ActivationError(
            f'{sanitize.quote(found)} is not valid: '
            'expected the name of a time zone '
            'that this host knows, like Europe/Berlin') from error


def read(found: str, of: Zone) -> datetime.datetime:
    """Read a time without a zone, like ``2026-12-24T18:00:00``.

    :raises ActivationError: saying what was found and what was wanted.
    """
    match = _WRITTEN.fullmatch(found)
    try:
        if match is None:
            raise ValueError
        moment = datetime.datetime.fromisoformat(
            f'{match["date"]}T{match["time"]}')
    except ValueError as error:
        raise errors.ActivationError(
            f'{sanitize.quote(found)} is not valid: '
            'expected a date and a time of day, '
            'like 2026-12-24T18:00:00') from error
    if match['zone'] is not None and (match['zone'], of.name) != ('Z', 'UTC'):
        raise errors.ActivationError(
            f'{sanitize.quote(found)} is not valid: '
            'expected the time that clocks show '
            f'in {of.name}, without Z or an offset; "timezone" says where')
    # Each day from then on is counted, see recurrence.
    if not 1970 <= moment.year <= 2199:
        raise errors.ActivationError(
            f'{sanitize.quote(found)} is not valid: '
            'expected a year from '
            '1970 to 2199')
    return moment


class Length(typing.NamedTuple):
    """How long a window lasts: days by the calendar, and time after that."""

    days: datetime.timedelta
    rest: datetime.timedelta

    def after(self, begin: datetime.datetime, of: Zone) -> datetime.datetime:
        """Return the moment of the end of what begins at a local time."""
        return of.to_utc(begin + self.days) + self.rest

    @property
    def most(self) -> datetime.timedelta:
        """No less than it lasts, whatever clocks do meanwhile."""
        return self.days + self.rest + datetime.timedelta(days=2)


def length(found: str) -> Length:
    """Read how long something lasts, like ``1d12h``.

    :raises ActivationError: saying what was found and what was wanted.
    """
    match = _LASTING.fullmatch(found)
    numbers = {name: int(number) for name, number
               in (match.groupdict() if match else {}).items() if number}
    if not any(numbers.values()):
        raise errors.ActivationError(
            f'{sanitize.quote(found)} is not valid: '
            'expected days, hours, minutes or '
            'seconds, like 30m, 8h, 3d or 1d12h')
    days = datetime.timedelta(days=numbers.pop('days', 0))
    rest = datetime.timedelta(**numbers)
    if days + rest > datetime.timedelta(days=MOST_DAYS):
        raise errors.ActivationError(
            f'{sanitize.quote(found)} is not valid: '
            'expected at most '
            f'{MOST_DAYS}d')
    return Length(days, rest)
