# SPDX-License-Identifier: Apache-2.0

"""Parse and convert local times in the time zone of a window.

If the clocks of the zone show a time twice, the first of the two is meant. If
they skip a time, it is as long after the change as without the change.

Pure: does not import Heat.
"""

import datetime
import re
import zoneinfo

from heat_extras.config_validation import yaml_file

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
