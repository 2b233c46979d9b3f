# SPDX-License-Identifier: Apache-2.0

"""When a window begins again: an RRULE of iCalendar (RFC 5545).

dateutil finds the days. A rule that dateutil reads in another way than the
RFC is not valid.

Pure: nothing of Heat is imported.
"""

import datetime
import re
import zoneinfo

from dateutil import rrule

from heat_extras.config_validation import yaml_file
from heat_extras.freeze import local_time

_DAY = '(MO|TU|WE|TH|FR|SA|SU)'
# dateutil ignores a 0, and matches every day.
_NUMBER = '[+-]?[1-9][0-9]{0,2}'
_NUMBERS = f'{_NUMBER}(,{_NUMBER})*'
_PARTS = {
    'FREQ': 'DAILY|WEEKLY|MONTHLY|YEARLY', 'INTERVAL': '[1-9][0-9]{0,2}',
    'UNTIL': '[0-9]{8}(T[0-9]{6}Z?)?', 'WKST': _DAY, 'BYMONTH': _NUMBERS,
    'BYMONTHDAY': _NUMBERS, 'BYSETPOS': _NUMBERS,
    'BYDAY': f'{_DAY}(,{_DAY})*|{_NUMBER}{_DAY}(,{_NUMBER}{_DAY})*'}

# Years after which the calendar is the same again, days of the week included.
# So late, dateutil, which looks until the year 9999, soon reports a rule that
# never matches.
_LATER = 19 * 400


def parse(text: str, begin: datetime.datetime, zone: zoneinfo.ZoneInfo
          ) -> rrule.rrule:
    """Parse a rule, into the local times at which a window begins.

    :param begin: the first of these times.
    :param zone: the time zone of an UNTIL in UTC.
    :raises ValueError: when the rule is not valid, or does not have that
        time.
    """
    parts = _parse_parts(text)
    if 'UNTIL' in parts:
        parts['UNTIL'] = _local_until(parts['UNTIL'], zone)
    # Else dateutil takes a setting of Python that others may change.
    rule = ';'.join('='.join(part) for part in {'WKST': 'MO', **parts}.items())
    try:
        found = rrule.rrulestr(rule, dtstart=begin, cache=True)
        late = begin.replace(year=begin.year + _LATER)
        has_begin = (late in found.replace(dtstart=late, until=None)
                     and begin in found)
    except Exception as error:
        raise yaml_file.not_valid(
            text, f'an RRULE of iCalendar ({error})') from error
    if not has_begin:
        raise yaml_file.not_valid(
            text, f'a rule that has "begin", {begin.isoformat()}, as one of '
            'its times')
    return found


def _parse_parts(text: str) -> dict[str, str]:
    parts: dict[str, str] = {}
    for part in text.strip().upper().removeprefix('RRULE:').split(';'):
        name, _, value = part.partition('=')
        if name in parts or not re.fullmatch(_PARTS.get(name, '(?!)'), value):
            raise yaml_file.not_valid(
                part, f'any of {", ".join(_PARTS)}, each once, as in '
                'FREQ=MONTHLY;BYDAY=1MO,-1FR;UNTIL=20271231T235959; the time '
                'of day is that of "begin"')
        parts[name] = value
    has_positions = 'BYSETPOS' in parts or re.search(
        '[0-9]', parts.get('BYDAY', ''))
    if has_positions and parts.get('FREQ') not in ('MONTHLY', 'YEARLY'):
        raise yaml_file.not_valid(
            text, 'BYSETPOS, and numbers in BYDAY, only with FREQ=MONTHLY or '
            'FREQ=YEARLY')
    return parts


def _local_until(text: str, zone: zoneinfo.ZoneInfo) -> str:
    # RFC 5545 has UTC beside a time zone. dateutil needs a local time, as
    # "begin" is one. A date includes its day.
    if not text.endswith('Z'):
        return text if 'T' in text else f'{text}T235959'
    form = '%Y%m%dT%H%M%S'
    try:
        time = datetime.datetime.strptime(text, f'{form}Z')
        return local_time.to_local(time, zone).strftime(form)
    # Of the first and the last day of the calendar, in other time zones.
    except (ValueError, OverflowError) as error:
        raise yaml_file.not_valid(
            text, 'a date and a time, like 20271231T225959Z') from error
