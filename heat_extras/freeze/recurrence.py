# SPDX-License-Identifier: Apache-2.0

"""When a window begins again: an RRULE of iCalendar (RFC 5545).

dateutil finds the days. A rule that dateutil reads in another way than the
RFC is not valid.

Pure: nothing of Heat is imported.
"""

import datetime
import re

from dateutil import rrule

from heat_extras.config_validation import yaml_file

_DAY = '(MO|TU|WE|TH|FR|SA|SU)'
# dateutil ignores a 0, and matches every day.
_NUMBER = '[+-]?[1-9][0-9]{0,2}'
_NUMBERS = f'{_NUMBER}(,{_NUMBER})*'
_PARTS = {
    'FREQ': 'DAILY|WEEKLY|MONTHLY|YEARLY', 'INTERVAL': '[1-9][0-9]{0,2}',
    'UNTIL': '[0-9]{8}T[0-9]{6}', 'WKST': _DAY, 'BYMONTH': _NUMBERS,
    'BYMONTHDAY': _NUMBERS, 'BYSETPOS': _NUMBERS,
    'BYDAY': f'{_DAY}(,{_DAY})*|{_NUMBER}{_DAY}(,{_NUMBER}{_DAY})*'}

# Years after which the calendar is the same again, days of the week included.
# So late, dateutil, which looks until the year 9999, soon reports a rule that
# never matches.
_LATER = 19 * 400


def parse(text: str, begin: datetime.datetime) -> rrule.rrule:
    """Parse a rule, into the local times at which a window begins.

    :param begin: the first of these times.
    :raises ValueError: when the rule is not valid, or does not have that
        time.
    """
    parts = _parse_parts(text)
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
