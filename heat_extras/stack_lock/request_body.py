# SPDX-License-Identifier: Apache-2.0

"""What the body of a request to lock or to protect may say.

Pure: nothing of Heat is imported. The engine looks at the values.
"""

from heat_extras.stack_lock import words

_ID = 'id'
_END = 'expires_at'

# The fields of each action.
_NAMED = ('level', 'reason', _END)
LOCK = (*_NAMED, 'dry_run', 'replace', _ID)
UNLOCK = (_ID, 'ignore_failures')
EXTENSION = (_END, _ID)
PASS = ('user', _END, 'reason')
PROTECTION = ('reason',)


def fields(found: object) -> dict:
    """Read what stands under ``lock``.

    :returns: what the engine is sent.
    :raises ValueError: saying what was found and what was wanted.
    """
    sent = _sent(_read(found, LOCK, 'lock'))
    named = {name: sent.pop(name) for name in _NAMED if name in sent}
    return sent | {'named': named} if named else sent


def fields_of_unlock(found: object) -> dict:
    """Read what stands under ``unlock``, as :func:`fields`."""
    sent = _sent(_read(found, UNLOCK, 'unlock'))
    if found is not None and not sent:
        raise ValueError('Invalid body of unlock: it must be null, {"id": '
                         '"ID of the lock"}, or ignore_failures.')
    return sent


def fields_of_extension(found: object) -> dict:
    """Read what stands under ``extend_lock``, as :func:`fields`."""
    sent = _sent(_read(found, EXTENSION, 'extend_lock'))
    if _END not in sent:
        raise ValueError(
            'Invalid body of extend_lock: expires_at is missing. It must be '
            'a time, for example {"expires_at": "2026-12-24T18:00:00Z"}, or '
            'null to remove the expiration.')
    return sent


def fields_of_pass(found: object) -> dict:
    """Read what stands under ``lock_pass``; of null nothing.

    :raises ValueError: saying what was found and what was wanted.
    """
    read = _read(found, PASS, 'lock_pass')
    if found is not None:
        for name in ('user', _END):
            if read.get(name) is None:
                raise ValueError(
                    f'Invalid body of lock_pass: found no {name}, wanted '
                    'null, or {"user": {"id": "..."} or {"name": "...", '
                    '"domain": "..."}, '
                    '"expires_at": "2026-12-24T18:00:00Z"}.')
    return read


def fields_of_protection(found: object) -> dict:
    """Read what stands under ``protect``.

    :raises ValueError: saying what was found and what was wanted.
    """
    return _read(found, PROTECTION, 'protect')


def _sent(read: dict) -> dict:
    # An id is not the same as none, and null is one.
    sent = {name: read[name] for name in read if name != _ID}
    return sent | {'expected': {_ID: read[_ID]}} if _ID in read else sent


def _read(found: object, known: tuple[str, ...], action: str) -> dict:
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise ValueError(words.no_object(found, known, action))
    unknown = sorted(set(found) - set(known))
    if unknown:
        raise ValueError(words.unknown_fields(unknown, known, action))
    return found
