# SPDX-License-Identifier: Apache-2.0

"""The states of resources under a lock of level ``all``. Pure."""

# Shown to users as ``lock_protection``.
PROTECTED = 'protected'
FOUND = 'found_protected'
NO_API = 'no_lock_api'
FAILED = 'failed'

# Its stack was unlocked although its service did not release it.
NOT_RELEASED = 'not_released'

# Released by an unlock. The row is kept while the overlay shows it.
RELEASED = 'released'

# Only in the table: the service is being called, or its answer is not known.
# Unlock checks such a resource, and releases it if the lock protects it.
LOCKING = 'locking'

# What an unlock has to release.
OWN = (PROTECTED, LOCKING)
# What this lock or an earlier one has protected.
KNOWN = (*OWN, NOT_RELEASED)


def shown(state: str | None) -> str | None:
    """Return the state that users see for a state of the table."""
    if state == LOCKING:
        return FAILED
    return None if state == RELEASED else state
