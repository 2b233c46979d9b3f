# SPDX-License-Identifier: Apache-2.0

"""Times as an operator writes them, in the time zone of a window.

A time that the clocks of the zone show twice is the first of the two. A time
that they skip is as long after the change as it would be without the change.

Pure: nothing of Heat is imported.
"""

import datetime
import re
import zoneinfo

from heat_extras.config_validation import yaml_file

UTC = datetime.timezone.utc

# Each day until then is counted, see recurrence.
_WRITTEN = re.compile(
    r'(?:19[7-9]|20\d|21\d)\d-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?'
    r'(?:Z|[+-]\d\d:\d\d)?', re.ASCII)
_UNITS = {'d': 'days', 'h': 'hours', 'm': 'minutes', 's': 'seconds'}
_DURATION = re.compile(
    ''.join(rf'(?:(?P<{name}>\d{{1,4}}){unit})?'
            for unit, name in _UNITS.items()), re.ASCII)


def to_utc(local: datetime.datetime, zone: zoneinfo.ZoneInfo
           ) -> datetime.datetime:
    """Return the time in UTC, without a zone, of a local time."""
    return (local.replace(tzinfo=zone).astimezone(UTC)
            .replace(tzinfo=None))


def to_local(time: datetime.datetime, zone: zoneinfo.ZoneInfo
             ) -> datetime.datetime:
    """Return what clocks in a zone show.

    :param time: in UTC if it has no zone.
    """
    return (time.replace(tzinfo=time.tzinfo or UTC).astimezone(zone)
            .replace(tzinfo=None, fold=0))


def parse_zone(text: str) -> zoneinfo.ZoneInfo:
    """Parse the name of a time zone.

    :raises ValueError: when this host does not know it.
    """
    try:
        return zoneinfo.ZoneInfo(text)
    # ZoneInfo opens a file of that name: a folder is an OSError.
    except (ValueError, OSError, zoneinfo.ZoneInfoNotFoundError) as error:
        raise yaml_file.not_valid(
            text, 'the name of a time zone that this host knows, like '
            'Europe/Berlin') from error


def parse_time(text: str, zone: zoneinfo.ZoneInfo) -> datetime.datetime:
    """Parse a time like ``2026-12-24T18:00:00``.

    :returns: the local time, without a zone.
    :raises ValueError: when it is not valid.
    """
    try:
        if not _WRITTEN.fullmatch(text):
            raise ValueError
        time = datetime.datetime.fromisoformat(text.replace('Z', '+00:00'))
        return to_local(time, zone) if time.tzinfo else time
    except ValueError as error:
        raise yaml_file.not_valid(
            text, 'a date and a time of day from 1970 to 2199, like '
            '2026-12-24T18:00:00') from error


def parse_duration(text: str) -> datetime.timedelta:
    """Parse a duration like ``1d12h``.

    :raises ValueError: when it is not valid.
    """
    match = _DURATION.fullmatch(text)
    numbers = {name: int(number) for name, number
               in (match.groupdict() if match else {}).items() if number}
    if not any(numbers.values()):
        raise yaml_file.not_valid(
            text, 'days, hours, minutes or seconds, like 30m, 8h, 3d or '
            '1d12h')
    return datetime.timedelta(**numbers)
