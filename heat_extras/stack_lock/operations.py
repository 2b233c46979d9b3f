# SPDX-License-Identifier: Apache-2.0

"""The operations that a lock allows, rejects or ignores, in each state.

The checks, the list of guards, the page of the documentation
(``tools/operation_table.py``) and the tests use this table. Atomic checks are
also a part of Heat's own statements, and use only ``lock_level``
(:mod:`heat_extras.stack_lock.guarded_writes`).

Pure: does not import Heat.
"""

import collections.abc

from heat_extras import rpc_request
from heat_extras.stack_lock import states

PASS, REFUSE, IGNORE = 'allowed', 'rejected', 'ignored'
BY_PARENT = 'only by its parent'
BY_HOLDER = 'only by the pass user, or a user who may unlock'
FOR_SOME = (BY_PARENT, BY_HOLDER)

# The states of a lock as they are shown. The first is an unlocked stack.
STATES = (NOT_LOCKED, LOCKING, LOCKED, LOCK_FAILED, UNLOCKING,
          UNLOCK_FAILED) = (
    'not locked', 'LOCK_IN_PROGRESS', 'LOCK_COMPLETE', 'LOCK_FAILED',
    'UNLOCK_IN_PROGRESS', 'UNLOCK_FAILED')

# The state LOCK_COMPLETE, during an update with a lock pass.
PASSING = 'pass in use'

# In combination with any other state.
PROTECTED = 'protected from deletion'
COLUMNS = (*STATES, PASSING, PROTECTED)

# The operations of callers. LOCK, UNLOCK and DELETE are in the module states.
UPDATE, SUSPEND, RESUME, CHECK = (
    rpc_request.UPDATE, rpc_request.SUSPEND, rpc_request.RESUME,
    rpc_request.CHECK)
SNAPSHOT, SNAPSHOT_DELETE = rpc_request.SNAPSHOT, rpc_request.SNAPSHOT_DELETE
RESTORE, CANCEL, ABANDON = (
    rpc_request.RESTORE, rpc_request.CANCEL, rpc_request.ABANDON)
PROTECT, UNPROTECT = 'protect', 'unprotect'
MARK_UNHEALTHY, CLEAR_HOOK = rpc_request.MARK_UNHEALTHY, rpc_request.CLEAR_HOOK
NESTED_CREATE, MIGRATE = 'nested create', rpc_request.MIGRATE
SIGNAL, AGENT_SIGNAL, SCALE = rpc_request.SIGNAL, 'signal of an agent', 'scale'
EXPORT, PREVIEW, READ = rpc_request.EXPORT, rpc_request.PREVIEW, 'read'
# Changes of a lock: another expiration, and a lock pass granted or revoked.
EXTEND_LOCK, LOCK_PASS = 'extend lock', 'lock pass'
# Other operations, for example a write of Heat to the database.
OTHER = 'operation'

# The operations by which rejected requests of users are counted. A hook is
# cleared by a signal.
COUNTED = (UPDATE, states.DELETE, ABANDON, SUSPEND, RESUME, CHECK, SNAPSHOT,
           SNAPSHOT_DELETE, RESTORE, CANCEL, MARK_UNHEALTHY, SIGNAL, MIGRATE)

Verdicts = collections.abc.Mapping[str, str]


def _always(verdict: str) -> Verdicts:
    return dict.fromkeys(COLUMNS, verdict)


def _while_locked(verdict: str, **others: str) -> Verdicts:
    """Return the verdicts of an operation that is allowed without a lock.

    :param others: the verdicts of other states, by the names of the constants.
    """
    verdicts = {**_always(verdict), NOT_LOCKED: PASS, PROTECTED: PASS}
    return {**verdicts, **{globals()[name]: other
                           for name, other in others.items()}}


_CHANGE = _while_locked(REFUSE)
# Operations that an update with a lock pass causes in nested stacks.
_PART = _while_locked(REFUSE, PASSING=BY_PARENT)

TABLE: dict[str, Verdicts] = {
    states.LOCK: _while_locked(REFUSE, LOCKED=PASS, LOCK_FAILED=PASS),
    states.UNLOCK: _while_locked(REFUSE, NOT_LOCKED=REFUSE, LOCKED=PASS,
                                 LOCK_FAILED=PASS, UNLOCK_FAILED=PASS,
                                 PASSING=PASS),
    EXTEND_LOCK: _while_locked(REFUSE, NOT_LOCKED=REFUSE, LOCKING=PASS,
                               LOCKED=PASS, LOCK_FAILED=PASS, PASSING=PASS),
    LOCK_PASS: _while_locked(REFUSE, NOT_LOCKED=REFUSE, LOCKED=PASS),
    states.DELETE: _while_locked(REFUSE, LOCK_FAILED=PASS,
                                 UNLOCK_FAILED=PASS, PASSING=BY_PARENT,
                                 PROTECTED=BY_PARENT),
    ABANDON: _while_locked(REFUSE, PASSING=BY_PARENT, PROTECTED=BY_PARENT),
    PROTECT: _always(PASS), UNPROTECT: _always(PASS),
    UPDATE: _PART, SUSPEND: _PART, RESUME: _PART, CHECK: _PART,
    CANCEL: _while_locked(REFUSE, PASSING=BY_HOLDER), SNAPSHOT: _PART,
    SNAPSHOT_DELETE: _PART, RESTORE: _PART, MARK_UNHEALTHY: _CHANGE,
    CLEAR_HOOK: _while_locked(REFUSE, PASSING=BY_HOLDER), MIGRATE: _CHANGE,
    SCALE: _CHANGE,
    NESTED_CREATE: _while_locked(REFUSE, NOT_LOCKED=BY_PARENT,
                                 PASSING=BY_PARENT),
    SIGNAL: _while_locked(IGNORE),
    AGENT_SIGNAL: _always(PASS), EXPORT: _always(PASS),
    PREVIEW: _always(PASS), READ: _always(PASS),
    OTHER: _while_locked(REFUSE, PASSING=PASS),
}
"""The verdict in each state, by the name of the operation."""


def verdict(operation: str, state: tuple[str | None, str | None],
            is_locked: bool, is_passing: bool = False) -> str:
    """Return whether an operation is allowed, rejected or ignored.

    :param operation: the operation. An unknown operation counts as a change.
    :param state: the lock's own (action, status). An unknown state of a locked
        stack counts as LOCK_COMPLETE.
    :param is_locked: whether the stack has a lock level.
    :param is_passing: whether an update with a lock pass is in progress.
    """
    shown = PASSING if is_passing else _shown_state(state, is_locked)
    return TABLE.get(operation, _CHANGE)[shown]


def _shown_state(state: tuple[str | None, str | None],
                 is_locked: bool) -> str:
    if not is_locked:
        return NOT_LOCKED
    shown = '_'.join(filter(None, state))
    return shown if shown in STATES else LOCKED


def current() -> str | None:
    """Return the operation that this thread starts, if locks know it."""
    operation = rpc_request.operation()
    return operation if operation in TABLE else None


def is_deletion(operation: str) -> bool:
    """Return whether a protection from deletion stops an operation."""
    return TABLE.get(operation, _CHANGE)[PROTECTED] != PASS


def is_ever_refused(operation: str) -> bool:
    """Return whether an operation is rejected in at least one state."""
    return REFUSE in TABLE.get(operation, _CHANGE).values()
