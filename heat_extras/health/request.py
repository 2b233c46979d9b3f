# SPDX-License-Identifier: Apache-2.0

"""What a request to change a resource's health may say: pure rules.

Each function raises ValueError with a text for the person who asked.
"""

import dataclasses

from heat_extras.health import words
from heat_extras import sanitize

MARK, REASON, FORCE = words.MARK, words.REASON, words.FORCE
FIELDS = (MARK, REASON)
REASON_LENGTH = sanitize.LINE

_BOOLEANS = {'true': True, 'false': False}


@dataclasses.dataclass(frozen=True)
class Asked:
    """What a request asks for; the reason is empty if there is none."""

    mark: bool
    reason: str
    is_forced: bool


def parse(body: object, force: list[str]) -> Asked:
    """Read a request.

    :param force: the values of ``?force=`` in the query.
    :raises ValueError: saying what was found and what was wanted.
    """
    return Asked(*parse_body(body), parse_force(force))


def parse_body(body: object) -> tuple[bool, str]:
    """Read the body of ``PATCH .../resources/{name}``.

    :returns: whether to mark, and the reason, empty if there is none.
    :raises ValueError: saying what was found and what was wanted.
    """
    if not isinstance(body, dict):
        raise ValueError(words.no_object(body))
    unknown = sorted(set(body) - set(FIELDS))
    if unknown:
        raise ValueError(words.unknown_keys(unknown))
    if MARK not in body:
        raise ValueError(words.no_mark())
    check_mark(body[MARK])
    reason = body.get(REASON, '')
    check_reason(reason)
    return body[MARK], reason


def check_mark(mark: object) -> None:
    """Insist on a boolean.

    :raises ValueError: saying what was found.
    """
    if not isinstance(mark, bool):
        raise ValueError(words.no_boolean(mark))


def check_reason(reason: object) -> None:
    """Insist on a string that fits.

    :raises ValueError: saying what was found.
    """
    if not isinstance(reason, str):
        raise ValueError(words.no_string(reason))
    if len(reason) > REASON_LENGTH:
        raise ValueError(words.too_long(len(reason), REASON_LENGTH))
    sanitize.check(REASON, reason)


def parse_force(values: list[str]) -> bool:
    """Read ``?force=`` of the query.

    :param values: all that were given.
    :raises ValueError: saying what was found.
    """
    if not values:
        return False
    if len(values) > 1 or values[0].lower() not in _BOOLEANS:
        raise ValueError(words.no_force(values))
    return _BOOLEANS[values[0].lower()]
