# SPDX-License-Identifier: Apache-2.0

"""Moments as requests and answers write them: ``2026-12-24T18:00:00Z``.

Inside they are UTC without a zone, in whole seconds. Pure: nothing of Heat is
imported.
"""

import datetime
import re

from heat_extras import sanitize

#: As it is written. The description of the API has it, too.
WRITTEN = (
    r'(?P<whole>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(?P<fraction>\d+))?'
    r'(?:Z|(?P<sign>[+-])(?P<hours>[01]\d|2[0-3]):(?P<minutes>[0-5]\d))')
_WRITTEN = re.compile(WRITTEN, re.ASCII)


def parse(found: object, name: str = 'expires_at') -> datetime.datetime:
    """Read a moment; fractions of a second are rounded up.

    :param name: of what it is.

    :raises ValueError: saying what was found and what was wanted.
    """
    match = _WRITTEN.fullmatch(found) if isinstance(found, str) else None
    try:
        if match is None:
            raise ValueError
        return (datetime.datetime.fromisoformat(match['whole'])
                + _rounding(match) - _offset(match))
    except (ValueError, OverflowError) as error:
        raise ValueError(
            f'Invalid {name}: {sanitize.quote(found)} is not valid: expected '
            'a time with its time zone, like "2026-12-24T18:00:00Z" or '
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


def to_iso(moment: datetime.datetime | None) -> str | None:
    """Write a moment; None is none."""
    if moment is None:
        return None
    return moment.replace(microsecond=0).isoformat() + 'Z'
