# SPDX-License-Identifier: Apache-2.0

"""What a lock lets through, refuses and ignores, in each of its states.

The one table of it: refusals, the guards that are listed, the page of the
documentation (``tools/operation_table.py``) and the tests are made from it.
What has to be atomic is besides a part of Heat's own statements, which ask for
nothing but ``lock_level`` (:mod:`heat_extras.stack_lock.guarded_writes`).

Pure: nothing of Heat is imported.
"""

import collections.abc

from heat_extras.heat_internals import operation_names as names
from heat_extras.stack_lock import states

PASS, REFUSE, IGNORE = 'let through', 'refused', 'ignored'
BY_PARENT = 'only by its parent'
BY_HOLDER = 'only by who holds the pass, or may unlock'
FOR_SOME = (BY_PARENT, BY_HOLDER)

# The state of a lock as it is shown; the first is none at all.
STATES = (NOT_LOCKED, LOCKING, LOCKED, LOCK_FAILED, UNLOCKING,
          UNLOCK_FAILED) = (
    'not locked', 'LOCK_IN_PROGRESS', 'LOCK_COMPLETE', 'LOCK_FAILED',
    'UNLOCK_IN_PROGRESS', 'UNLOCK_FAILED')

# LOCK_COMPLETE, while an update goes through the lock with a pass.
PASSING = 'pass in use'

# Beside any of them.
PROTECTED = 'protected from deletion'
COLUMNS = (*STATES, PASSING, PROTECTED)

# What a caller asks for. LOCK, UNLOCK and DELETE have their names in states.
UPDATE, SUSPEND, RESUME, CHECK = (
    names.UPDATE, names.SUSPEND, names.RESUME, names.CHECK)
SNAPSHOT, SNAPSHOT_DELETE = names.SNAPSHOT, names.SNAPSHOT_DELETE
RESTORE, CANCEL, ABANDON = names.RESTORE, names.CANCEL, names.ABANDON
PROTECT, UNPROTECT = 'protect', 'unprotect'
MARK_UNHEALTHY, CLEAR_HOOK = names.MARK_UNHEALTHY, names.CLEAR_HOOK
NESTED_CREATE, MIGRATE = 'nested create', names.MIGRATE
SIGNAL, AGENT_SIGNAL, SCALE = names.SIGNAL, 'signal of an agent', 'scale'
EXPORT, PREVIEW, READ = 'export', 'preview', 'read'
# Of a lock: its end is another one; a pass is granted or revoked.
EXTEND_LOCK, LOCK_PASS = 'extend lock', 'lock pass'
# Of what has no name: a write of Heat's to the database, for instance.
OTHER = 'operation'

# Under which refusals are counted: what the calls of users begin. A hook is
# cleared by a signal.
COUNTED = (UPDATE, states.DELETE, ABANDON, SUSPEND, RESUME, CHECK, SNAPSHOT,
           SNAPSHOT_DELETE, RESTORE, CANCEL, MARK_UNHEALTHY, SIGNAL, MIGRATE)

Verdicts = collections.abc.Mapping[str, str]


def _always(verdict: str) -> Verdicts:
    return dict.fromkeys(COLUMNS, verdict)


def _while_locked(verdict: str, **others: str) -> Verdicts:
    """Make the verdicts of what goes on while there is no lock.

    :param others: those of single states, by the names that these have here.
    """
    found = {**_always(verdict), NOT_LOCKED: PASS, PROTECTED: PASS}
    return {**found, **{globals()[name]: other
                        for name, other in others.items()}}


_CHANGE = _while_locked(REFUSE)
# What the update with the pass causes in what is nested in its stack.
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
"""By the name of the operation: what becomes of it in each state."""


def verdict(operation: str, state: tuple[str | None, str | None],
            is_locked: bool, is_passing: bool = False) -> str:
    """Return what becomes of an operation.

    :param operation: one that is not in the table is a change.
    :param state: the lock's own (action, status); of a locked stack one that
        is not known counts as LOCK_COMPLETE.
    :param is_locked: whether the stack has a lock level.
    :param is_passing: whether an update goes through the lock with a pass.
    """
    shown = PASSING if is_passing else _shown(state, is_locked)
    return TABLE.get(operation, _CHANGE)[shown]


def _shown(state: tuple[str | None, str | None], is_locked: bool) -> str:
    if not is_locked:
        return NOT_LOCKED
    shown = '_'.join(filter(None, state))
    return shown if shown in STATES else LOCKED


def is_deletion(operation: str) -> bool:
    """Return whether a protection from deletion stops an operation."""
    return TABLE.get(operation, _CHANGE)[PROTECTED] != PASS


def is_ever_refused(operation: str) -> bool:
    """Return whether there is a state in which an operation is refused."""
    return REFUSE in TABLE.get(operation, _CHANGE).values()
