# SPDX-License-Identifier: Apache-2.0

"""The words for a lock and its states, which follow Heat's own.

What is allowed in which of them is in
:mod:`heat_extras.stack_lock.operations`. A stack without a lock state is like
one in UNLOCK_COMPLETE, which is only shown until the next operation. Pure:
nothing of Heat is imported.
"""

LEVELS = (STACKS, ALL) = ('stacks', 'all')
DEFAULT_LEVEL = ALL

LOCK, UNLOCK = 'LOCK', 'UNLOCK'
# What is done at once: events and notifications tell of it, no status does.
PROTECT, UNPROTECT = 'PROTECT', 'UNPROTECT'
EXTEND_LOCK, LOCK_PASS = 'EXTEND_LOCK', 'LOCK_PASS'
IN_PROGRESS, COMPLETE, FAILED = 'IN_PROGRESS', 'COMPLETE', 'FAILED'

MEMBER, ADMIN = 'member', 'admin'

DELETE = 'delete'
