# SPDX-License-Identifier: Apache-2.0

"""The states of resources under a lock of level ``all``. Pure."""

# Shown to users as ``lock_protection``.
PROTECTED = 'protected'
FOUND = 'found_protected'
NO_API = 'no_lock_api'
FAILED = 'failed'

# The stack was unlocked, but the service did not release the resource.
NOT_RELEASED = 'not_released'

# Released by an unlock. The row is kept while the overlay shows it.
RELEASED = 'released'

# Only in the table: the service is being called, or its answer is not known.
# Unlock checks such a resource, and releases it if the lock protects it.
LOCKING = 'locking'

# An unlock has to release resources in these states.
OWN = (PROTECTED, LOCKING)
# This lock or an earlier lock has protected resources in these states.
KNOWN = (*OWN, NOT_RELEASED)


def shown(state: str | None) -> str | None:
    """Return the state for users for a state of the table."""
    if state == LOCKING:
        return FAILED
    return None if state == RELEASED else state
