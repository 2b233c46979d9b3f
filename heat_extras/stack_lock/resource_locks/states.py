# SPDX-License-Identifier: Apache-2.0

"""How a resource stands to the lock of its service. Pure."""

# Told to users, as ``lock_protection``.
PROTECTED = 'protected'
FOUND = 'found_protected'
NO_API = 'no_lock_api'
FAILED = 'failed'

# Its stack is unlocked all the same: the owner has given it up.
NOT_RELEASED = 'not_released'

# Where its state is shown until the next operation: an unlock has released it.
RELEASED = 'released'

# Only in the table: the service is being asked, or was and its answer is
# not known. Such a resource counts as ours, and unlock looks it up.
LOCKING = 'locking'

# What an unlock has to lift.
OURS = (PROTECTED, LOCKING)
# What this lock, or one before it, has protected.
KNOWN = (*OURS, NOT_RELEASED)


def shown(state: str | None) -> str | None:
    """Return the state that users see for a state of the table."""
    if state == LOCKING:
        return FAILED
    return None if state == RELEASED else state
