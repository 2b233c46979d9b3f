# SPDX-License-Identifier: Apache-2.0

"""What a request to change a resource's health may say: pure rules.

Each function raises ValueError with a text for the person who asked. Where
Heat itself refuses a body, its own words are kept.
"""

from heat_extras import text as texts

MARK, REASON = 'mark_unhealthy', 'resource_status_reason'
FIELDS = (MARK, REASON)
REASON_LENGTH = 255

FORCE = 'force'
_BOOLEANS = {'true': True, 'false': False}


def parse_body(body: object) -> tuple[bool, str]:
    """Read the body of ``PATCH .../resources/{name}``.

    :returns: whether to mark, and the reason, empty if there is none.
    :raises ValueError: saying what was found and what was wanted.
    """
    if not isinstance(body, dict):
        raise ValueError(
            f'Invalid body of mark unhealthy: found {_name(body)}, wanted '
            f'an object with {MARK} and, if you like, {REASON}.')
    unknown = sorted(set(body) - set(FIELDS))
    if unknown:
        raise ValueError(
            'Invalid keys in resource mark unhealthy: '
            f'{", ".join(map(repr, unknown))}; wanted {MARK} and, if you '
            f'like, {REASON}.')
    if MARK not in body:
        raise ValueError(f'Missing mandatory ({MARK}) key from mark '
                         'unhealthy request; wanted true or false.')
    check_mark(body[MARK])
    reason = body.get(REASON, '')
    check_reason(reason)
    return body[MARK], reason


def check_mark(mark: object) -> None:
    """Insist on a boolean.

    :raises ValueError: saying what was found.
    """
    if not isinstance(mark, bool):
        raise ValueError(
            f'Unrecognized value "{mark}" for "{MARK}", acceptable values '
            f'are: true, false; found {_name(mark)}.')


def check_reason(reason: object) -> None:
    """Insist on a string that fits.

    :raises ValueError: saying what was found.
    """
    if not isinstance(reason, str):
        raise ValueError(f'Invalid {REASON}: found {_name(reason)}, wanted '
                         'a string.')
    if len(reason) > REASON_LENGTH:
        raise ValueError(
            f'Invalid {REASON}: it has {len(reason)} characters, at most '
            f'{REASON_LENGTH} are allowed.')
    texts.check(REASON, reason)


def parse_force(values: list[str]) -> bool:
    """Read ``?force=`` of the query.

    :param values: all that were given.
    :raises ValueError: saying what was found.
    """
    if not values:
        return False
    if len(values) > 1 or values[0].lower() not in _BOOLEANS:
        raise ValueError(f'Invalid {FORCE}: found {", ".join(values)!r}, '
                         'wanted true or false, once.')
    return _BOOLEANS[values[0].lower()]


def _name(found: object) -> str:
    """Name the type of a value as JSON does."""
    if found is None:
        return 'null'
    names = {bool: 'a boolean', int: 'a number', float: 'a number',
             str: 'a string', list: 'a list', dict: 'an object'}
    return names.get(type(found), type(found).__name__)
