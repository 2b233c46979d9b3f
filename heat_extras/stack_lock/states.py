# SPDX-License-Identifier: Apache-2.0

"""Names of the actions, states and levels of locks, like Heat's own.

:mod:`heat_extras.stack_lock.operations` lists the operations that are allowed
in each state. A stack without a lock state is unlocked, like a stack in
UNLOCK_COMPLETE. UNLOCK_COMPLETE is only shown until the next operation.

Pure: does not import Heat.
"""

LEVELS = (STACKS, ALL) = ('stacks', 'all')
DEFAULT_LEVEL = ALL

LOCK, UNLOCK = 'LOCK', 'UNLOCK'
# These actions are immediately complete. They have events and notifications,
# but no status.
PROTECT, UNPROTECT = 'PROTECT', 'UNPROTECT'
EXTEND_LOCK, LOCK_PASS = 'EXTEND_LOCK', 'LOCK_PASS'
IN_PROGRESS, COMPLETE, FAILED = 'IN_PROGRESS', 'COMPLETE', 'FAILED'

MEMBER, ADMIN = 'member', 'admin'

DELETE = 'delete'
