# SPDX-License-Identifier: Apache-2.0

"""What a request for the list of locks may ask for.

Pure: nothing of Heat is imported.
"""

import collections.abc
import dataclasses
import uuid

from heat_extras.stack_lock.lock_list import words
from heat_extras.stack_lock import states
from heat_extras import timestamps

#: The most locks in one answer, and how many are in it by default.
MOST = 1000

_BOOLEANS = {'true': True, 'false': False}


@dataclasses.dataclass(frozen=True)
class Query:
    """Which locks are wanted.

    :param marker: the id of a lock: those after it, whether it is there or
        not.
    """

    limit: int = MOST
    marker: str | None = None
    level: str | None = None
    all_projects: bool = False
    expires_before: str | None = None


def read(params: collections.abc.Mapping[str, str]) -> Query:
    """Read the words of a request.

    :raises ValueError: saying what was found and what was wanted.
    """
    known = [field.name for field in dataclasses.fields(Query)]
    unknown = sorted(set(params) - set(known))
    if unknown:
        raise ValueError(words.unknown_query(unknown, known))
    return Query(**{name: _READ[name](params[name])
                    for name in known if name in params})


def _limit(text: str) -> int:
    is_number = (text.isascii() and text.isdigit()
                 # Python reads no number of thousands of digits.
                 and len(text.lstrip('0')) <= len(str(MOST)))
    if not is_number or not 0 < int(text) <= MOST:
        raise ValueError(words.no_limit(text, MOST))
    return int(text)


def _marker(text: str) -> str:
    try:
        return str(uuid.UUID(text))
    except ValueError as error:
        raise ValueError(words.no_marker(text)) from error


def _level(text: str) -> str:
    if text not in states.LEVELS:
        raise ValueError(words.no_level(text, states.LEVELS))
    return text


def _all_projects(text: str) -> bool:
    if text.lower() not in _BOOLEANS:
        raise ValueError(words.no_all_projects(text))
    return _BOOLEANS[text.lower()]


def _expires_before(text: str) -> str | None:
    return timestamps.to_iso(timestamps.parse(text, 'expires_before'))


_READ: dict[str, collections.abc.Callable] = {
    'limit': _limit, 'marker': _marker, 'level': _level,
    'all_projects': _all_projects, 'expires_before': _expires_before}
