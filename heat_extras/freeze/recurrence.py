# SPDX-License-Identifier: Apache-2.0

"""Local times, and recurrence by an RRULE of iCalendar (RFC 5545).

If the clocks of a zone show a time twice, the first of the two is meant. If
they skip a time, it is as long after the change as without the change.

dateutil calculates the days. A rule that dateutil interprets differently from
the RFC is not valid.

Pure: does not import Heat.
"""

import datetime
import re
import zoneinfo

from dateutil import rrule

from heat_extras import yaml_file


UTC = datetime.timezone.utc

# The years are limited, because recurrence counts each day.
_TIME = re.compile(
    r'(?:19[7-9]|20\d|21\d)\d-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?'
    r'(?:Z|[+-]\d\d:\d\d)?', re.ASCII)


def to_utc(local: datetime.datetime, zone: zoneinfo.ZoneInfo
           ) -> datetime.datetime:
    """Convert a local time to UTC, without a zone."""
    return (local.replace(tzinfo=zone).astimezone(UTC)
            .replace(tzinfo=None))


def to_local(time: datetime.datetime, zone: zoneinfo.ZoneInfo
             ) -> datetime.datetime:
    """Convert a time to the local time of a zone, without a zone.

    :param time: a time, which is UTC if it has no zone.
    """
    return (time.replace(tzinfo=time.tzinfo or UTC).astimezone(zone)
            .replace(tzinfo=None, fold=0))


def parse_zone(text: str) -> zoneinfo.ZoneInfo:
    """Parse the name of a time zone.

    :raises ValueError: if this host does not know the time zone.
    """
    try:
        return zoneinfo.ZoneInfo(text)
    # ZoneInfo opens a file of this name. A folder raises an OSError.
    except (ValueError, OSError, zoneinfo.ZoneInfoNotFoundError) as error:
        raise yaml_file.not_valid(
            text, 'the name of a time zone that this host knows, like '
            'Europe/Berlin') from error


def parse_time(text: str, zone: zoneinfo.ZoneInfo) -> datetime.datetime:
    """Parse a time like ``2026-12-24T18:00:00``.

    :returns: the local time, without a zone.
    :raises ValueError: if the text is not valid.
    """
    try:
        if not _TIME.fullmatch(text):
            raise ValueError
        time = datetime.datetime.fromisoformat(text.replace('Z', '+00:00'))
        return to_local(time, zone) if time.tzinfo else time
    except ValueError as error:
        raise yaml_file.not_valid(
            text, 'a date and a time of day from 1970 to 2199, like '
            '2026-12-24T18:00:00') from error


_DAY = '(MO|TU|WE|TH|FR|SA|SU)'
# dateutil ignores the number 0, so that the rule matches every day.
_NUMBER = '[+-]?[1-9][0-9]{0,2}'
_NUMBERS = f'{_NUMBER}(,{_NUMBER})*'
_PARTS = {
    'FREQ': 'DAILY|WEEKLY|MONTHLY|YEARLY', 'INTERVAL': '[1-9][0-9]{0,2}',
    'UNTIL': '[0-9]{8}(T[0-9]{6}Z?)?', 'WKST': _DAY, 'BYMONTH': _NUMBERS,
    'BYMONTHDAY': _NUMBERS, 'BYSETPOS': _NUMBERS,
    'BYDAY': f'{_DAY}(,{_DAY})*|{_NUMBER}{_DAY}(,{_NUMBER}{_DAY})*'}

# Years after which the calendar is the same again, including the days of the
# week. dateutil searches until the year 9999, so from such a late year it
# quickly detects a rule that never matches.
_LATER = 19 * 400


def parse(text: str, begin: datetime.datetime, zone: zoneinfo.ZoneInfo
          ) -> rrule.rrule:
    """Parse a rule into the local times at which a window begins.

    :param begin: the first of these times.
    :param zone: the time zone to convert an UNTIL in UTC.
    :raises ValueError: if the rule is not valid, or does not have the first
        time.
    """
    parts = parse_parts(text)
    if 'UNTIL' in parts:
        parts['UNTIL'] = _local_until(parts['UNTIL'], zone)
    # Without WKST, dateutil uses a setting of Python that another module
    # might change.
    rule = ';'.join('='.join(part) for part in {'WKST': 'MO', **parts}.items())
    try:
        recurrence = rrule.rrulestr(rule, dtstart=begin, cache=True)
        late = begin.replace(year=begin.year + _LATER)
        has_begin = (late in recurrence.replace(dtstart=late, until=None)
                     and begin in recurrence)
    except Exception as error:
        raise yaml_file.not_valid(
            text, f'an RRULE of iCalendar ({error})') from error
    if not has_begin:
        raise yaml_file.not_valid(
            text, 'a rule that matches the time of "begin" '
                  f'({begin.isoformat()})')
    return recurrence


def parse_parts(text: str) -> dict[str, str]:
    """Parse a rule into its parts.

    :raises ValueError: if a part is not valid.
    """
    parts: dict[str, str] = {}
    for part in text.strip().upper().removeprefix('RRULE:').split(';'):
        name, _, value = part.partition('=')
        if name in parts or not re.fullmatch(_PARTS.get(name, '(?!)'), value):
            raise yaml_file.not_valid(
                part, f'any of the parts {", ".join(_PARTS)}, each at most '
                      'once, like '
                      'FREQ=MONTHLY;BYDAY=1MO,-1FR;UNTIL=20271231T235959 (the '
                      'time of day is always the time of "begin")')
        parts[name] = value
    has_positions = 'BYSETPOS' in parts or re.search(
        '[0-9]', parts.get('BYDAY', ''))
    if has_positions and parts.get('FREQ') not in ('MONTHLY', 'YEARLY'):
        raise yaml_file.not_valid(
            text, 'FREQ=MONTHLY or FREQ=YEARLY, which BYSETPOS and numbers in '
                  'BYDAY require')
    return parts


def _local_until(text: str, zone: zoneinfo.ZoneInfo) -> str:
    # With a time zone, RFC 5545 has UNTIL in UTC. dateutil needs a local
    # time, because "begin" is a local time. A date includes its whole day.
    if not text.endswith('Z'):
        return text if 'T' in text else f'{text}T235959'
    form = '%Y%m%dT%H%M%S'
    try:
        time = datetime.datetime.strptime(text, f'{form}Z')
        return to_local(time, zone).strftime(form)
    # The first or the last day of the calendar is not in range in other time
    # zones.
    except (ValueError, OverflowError) as error:
        raise yaml_file.not_valid(
            text, 'a date and a time, like 20271231T225959Z') from error
