# SPDX-License-Identifier: Apache-2.0

"""Convert timestamps like ``2026-12-24T18:00:00Z``, and durations.

Inside heat-extras, times are UTC without a zone, in whole seconds. Pure: does
not import Heat.
"""

import datetime
import re

from heat_extras import sanitize

#: The syntax of a timestamp. The description of the API repeats it.
SYNTAX = (
    r'(?P<whole>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(?P<fraction>\d+))?'
    r'(?:Z|(?P<sign>[+-])(?P<hours>[01]\d|2[0-3]):(?P<minutes>[0-5]\d))')
_SYNTAX = re.compile(SYNTAX, re.ASCII)

_UNITS = {'d': 'days', 'h': 'hours', 'm': 'minutes', 's': 'seconds'}
# The number of digits is limited, because int() rejects very long numbers with
# another error message.
_DURATION = re.compile(
    ''.join(rf'(?:(?P<{name}>\d{{1,8}}){unit})?'
            for unit, name in _UNITS.items()), re.ASCII)


def parse(text: object, name: str = 'expires_at') -> datetime.datetime:
    """Parse a timestamp, and round fractions of a second up.

    :param name: the name of the field.
    :raises ValueError: if the text is not a timestamp.
    """
    match = _SYNTAX.fullmatch(text) if isinstance(text, str) else None
    try:
        if match is None:
            raise ValueError
        return (datetime.datetime.fromisoformat(match['whole'])
                + _rounding(match) - _offset(match))
    except (ValueError, OverflowError) as error:
        raise ValueError(
            f'Invalid {name}: {sanitize.quote(text)} must be a time with its '
            'time zone, like "2026-12-24T18:00:00Z" or '
            '"2026-12-24T19:00:00+01:00".') from error


def _rounding(match: re.Match) -> datetime.timedelta:
    is_whole = not (match['fraction'] or '').strip('0')
    return datetime.timedelta(seconds=0 if is_whole else 1)


def _offset(match: re.Match) -> datetime.timedelta:
    if match['sign'] is None:
        return datetime.timedelta()
    offset = datetime.timedelta(hours=int(match['hours']),
                                minutes=int(match['minutes']))
    return offset if match['sign'] == '+' else -offset


def parse_duration(text: str,
                   most: datetime.timedelta = datetime.timedelta.max
                   ) -> datetime.timedelta:
    """Parse a duration like ``1d12h``.

    :param most: the maximum.
    :raises ValueError: if the text is not a duration.
    """
    match = _DURATION.fullmatch(text)
    duration = datetime.timedelta(**{
        name: int(number) for name, number
        in (match.groupdict() if match else {}).items() if number})
    if not datetime.timedelta() < duration <= most:
        raise ValueError(f'{text!r} is not valid: expected days, hours, '
                         'minutes or seconds, like 30m, 2h, 3d or 1d12h')
    return duration


def to_iso(time: datetime.datetime | None) -> str | None:
    """Format a time as a timestamp, and None as None."""
    if time is None:
        return None
    return time.replace(microsecond=0).isoformat() + 'Z'
