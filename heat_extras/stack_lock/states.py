# SPDX-License-Identifier: Apache-2.0

"""The states of a lock and what each of them allows: a pure table.

The words follow Heat's own actions and statuses. A stack without a lock
state is like one in UNLOCK_COMPLETE, which is only shown until the next
operation.
"""

LEVELS = (STACKS, ALL) = ('stacks', 'all')
DEFAULT_LEVEL = ALL

LOCK, UNLOCK = 'LOCK', 'UNLOCK'
IN_PROGRESS, COMPLETE, FAILED = 'IN_PROGRESS', 'COMPLETE', 'FAILED'

RANKS = (MEMBER, ADMIN) = ('member', 'admin')

# Operations that the table knows by name; every other one is refused while
# the stack is locked.
DELETE = 'delete'

_ALLOWED_WHILE_LOCKED: dict[
        tuple[str | None, str | None], frozenset[str]] = {
    (LOCK, IN_PROGRESS): frozenset(),
    (UNLOCK, IN_PROGRESS): frozenset(),
    (LOCK, COMPLETE): frozenset({UNLOCK, LOCK}),
    (LOCK, FAILED): frozenset({UNLOCK, LOCK, DELETE}),
    (UNLOCK, FAILED): frozenset({UNLOCK, DELETE}),
}


def allows(state: tuple[str | None, str | None], is_locked: bool,
           operation: str) -> bool:
    """Return whether *operation* may start.

    :param state: the lock's own (action, status); unknown combinations on a
        locked stack allow what LOCK_COMPLETE allows.
    :param is_locked: whether the stack has a lock level.
    :param operation: ``LOCK``, ``UNLOCK``, ``delete``, or any other name.
    """
    if not is_locked:
        return operation != UNLOCK
    allowed = _ALLOWED_WHILE_LOCKED.get(
        state, _ALLOWED_WHILE_LOCKED[(LOCK, COMPLETE)])
    return operation in allowed
