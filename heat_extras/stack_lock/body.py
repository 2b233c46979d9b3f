# SPDX-License-Identifier: Apache-2.0

"""What the body of a request to lock or to protect may say.

Pure: nothing of Heat is imported. The engine looks at the values.
"""

from heat_extras.stack_lock import words

_OF_LOCK = ('level', 'reason', 'dry_run')
_OF_PROTECTION = ('reason',)


def fields(found: object) -> dict:
    """Read what stands under ``lock``.

    :raises ValueError: saying what was found and what was wanted.
    """
    return _read(found, _OF_LOCK, 'lock')


def fields_of_protection(found: object) -> dict:
    """Read what stands under ``protect``.

    :raises ValueError: saying what was found and what was wanted.
    """
    return _read(found, _OF_PROTECTION, 'protect')


def _read(found: object, known: tuple[str, ...], action: str) -> dict:
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise ValueError(words.no_object(found, known, action))
    unknown = sorted(set(found) - set(known))
    if unknown:
        raise ValueError(words.unknown_fields(unknown, known, action))
    return found
