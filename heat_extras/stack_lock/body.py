# SPDX-License-Identifier: Apache-2.0

"""What the body of a request to lock may say.

Pure: nothing of Heat is imported. The engine looks at the values.
"""

from heat_extras.stack_lock import words

_FIELDS = ('level', 'reason', 'dry_run')


def fields(found: object) -> dict:
    """Read what stands under ``lock``.

    :raises ValueError: saying what was found and what was wanted.
    """
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise ValueError(words.no_object(found, _FIELDS))
    unknown = sorted(set(found) - set(_FIELDS))
    if unknown:
        raise ValueError(words.unknown_fields(unknown, _FIELDS))
    return found
