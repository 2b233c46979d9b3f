# SPDX-License-Identifier: Apache-2.0

"""A lock as it was read with its stack's row, and how it is shown.

Pure: nothing of Heat is imported.
"""

import dataclasses
import datetime
import typing

from heat_extras import sanitize
from heat_extras.stack_lock import operations
from heat_extras.stack_lock import states
from heat_extras import timestamps

#: What a lock is read from, and what is copied to a stack that comes into a
#: locked tree.
COLUMNS = (
    'lock_level', 'lock_passing', 'lock_action', 'lock_status',
    'lock_status_reason', 'lock_reason', 'locked_by', 'locked_by_id',
    'locked_by_project', 'lock_rank', 'locked_at', 'lock_id')

# Added to the refusal while a lock pass is in use.
_PASS_IN_USE = (
    'An operation that the lock allows to finish is in progress. Until it '
    'ends, it can only be canceled, by the pass user or by a user who may '
    'unlock the stack. ')

OVERLAY_FULL, OVERLAY_LOCKED, OVERLAY_OFF = 'full', 'locked', 'off'


@dataclasses.dataclass(frozen=True)
class Lock:
    """The lock of one stack; every field None: never locked, or over.

    :ivar action: and ``status``: what covers the stack's own; None in a lock
        that does not, since it had a pass, and is complete.
    :ivar granted: what a refused update is told of a pass that is valid.
    :ivar is_passing: whether an update goes through it with a pass.
    """

    level: str | None = None
    action: str | None = None
    status: str | None = None
    status_reason: str | None = None
    reason: str | None = None
    locked_by: str | None = None
    locked_by_id: str | None = None
    project: str | None = None
    rank: str | None = None
    locked_at: datetime.datetime | None = None
    id: str | None = None
    # Not in its stack's row: see :mod:`expiry`.
    expires_at: datetime.datetime | None = None
    granted: str | None = None
    is_passing: bool = False

    @classmethod
    def from_row(cls, row: typing.Any) -> 'Lock':
        """Read the lock from anything with the columns of ``stack``."""
        level = row.lock_level or row.lock_passing
        if level is None and row.lock_action is None:
            # Nearly every stack, and a list has hundreds of them.
            return UNLOCKED
        return cls(level=level, action=row.lock_action,
                   status=row.lock_status,
                   status_reason=row.lock_status_reason,
                   reason=row.lock_reason, locked_by=row.locked_by,
                   locked_by_id=row.locked_by_id,
                   project=row.locked_by_project, rank=row.lock_rank,
                   locked_at=row.locked_at, id=row.lock_id,
                   is_passing=row.lock_level is None and level is not None)

    @property
    def is_locked(self) -> bool:
        return self.level is not None

    @property
    def is_in_effect(self) -> bool:
        """Return whether Heat's own writes to the stack are refused."""
        return self.is_locked and not self.is_passing

    @property
    def state(self) -> tuple[str | None, str | None]:
        if self.is_locked and self.action is None:
            return (states.LOCK, states.COMPLETE)
        return (self.action, self.status)

    def verdict(self, operation: str) -> str:
        """Return what becomes of an operation; the one place that says it.

        :returns: one of the verdicts of :mod:`operations`.
        """
        return operations.verdict(operation, self.state, self.is_locked,
                                  self.is_passing)

    def refuses(self, operation: str) -> bool:
        """Return whether a caller whom nothing lets through is refused."""
        found = self.verdict(operation)
        return found == operations.REFUSE or (
            self.is_passing and found in operations.FOR_SOME)

    def ignores(self, operation: str) -> bool:
        return self.verdict(operation) == operations.IGNORE

    def covers(self, overlay: str) -> bool:
        """Return whether the lock's state is shown over the stack's own."""
        if self.action is None or overlay == OVERLAY_OFF:
            return False
        return self.is_locked or overlay == OVERLAY_FULL

    def is_set_by(self, user_id: str | None) -> bool:
        """Return whether a user has set the lock; never where none is known.

        :param user_id: see :func:`heat_extras.heat_internals.caller.user_id`.
        """
        return user_id is not None and user_id == self.locked_by_id

    def locked_by_for(self, project: str | None) -> str | None:
        """Name the locking user, but only to readers of the same project.

        :param project: the reader's project id.
        """
        return self.locked_by if project == self.project else None

    def isotime(self) -> str | None:
        """Return when the lock was set, as Heat's API writes times."""
        return timestamps.to_iso(self.locked_at)

    def describe(self, stack_name: str, stack_id: str,
                 reader_project: str | None, root_name: str | None = None,
                 operation: str = operations.OTHER) -> str:
        """Tell a person what is locked, by whom, why, and how to go on.

        :param root_name: the name of the root stack for a nested one.
        :param operation: what is refused.
        """
        until = (f' until {timestamps.to_iso(self.expires_at)}'
                 if self.expires_at else '')
        root_name = root_name or stack_name
        advice = ''
        if (operation == operations.UPDATE and root_name == stack_name
                and self.can_have_pass):
            advice = self.granted or (
                ' Or ask for a lock pass for this one update: openstack stack '
                f'lock pass grant --user USER --for 1h {stack_name}.')
        return (
            f'Stack {stack_name} ({stack_id}) {self.summary(reader_project)}'
            f'{until}{sanitize.because(self.reason)}. '
            f'{_PASS_IN_USE if self.is_passing else ""}To unlock it: '
            f'openstack stack unlock {root_name}. '
            f'Required policy: {self.right_to_unlock}.{advice}')

    def summary(self, reader_project: str | None) -> str:
        """Say that a stack is locked, by whom and since when."""
        who = self.locked_by_for(reader_project) or 'a user of another project'
        return (f'is locked (level {self.level}) by {who} since '
                f'{self.isotime()}')

    @property
    def right_to_unlock(self) -> str:
        """Name the policy rule that unlocking requires."""
        return ('actions:unlock_override' if self.rank == states.ADMIN
                else 'actions:unlock')

    @property
    def can_have_pass(self) -> bool:
        return (self.level == states.STACKS
                and not self.refuses(operations.LOCK_PASS))


UNLOCKED = Lock()

# What stack bodies carry about a lock.
LEVEL = 'lock_level'
STATUS, STATUS_REASON = 'lock_status', 'lock_status_reason'
ID, END, PASS = 'lock_id', 'lock_expires_at', 'lock_pass'
PUBLIC_FIELDS = (LEVEL, STATUS, STATUS_REASON, ID, 'lock_reason', 'locked_by',
                 'locked_at', END, PASS)
PRIOR_STACK_STATUS = 'prior_stack_status'


def of(stack: object) -> Lock:
    """Return the lock that a heat.engine.stack.Stack was loaded with."""
    return getattr(stack, 'heat_extras_lock', UNLOCKED)


def public_fields(lock: Lock, reader_project: str | None) -> dict:
    """Return what stack bodies carry about a lock.

    :returns: ``lock_level``, ``lock_status``, ``lock_status_reason``,
        ``lock_id``, ``lock_reason``, ``locked_by``, ``locked_at``,
        ``lock_expires_at`` and ``lock_pass``, each None on an unlocked stack;
        the last two also on a locked one, for :func:`expiry.add_fields`.
    """
    if not lock.is_locked:
        return dict.fromkeys(PUBLIC_FIELDS)
    return {LEVEL: lock.level,
            STATUS: '_'.join(filter(None, lock.state)),
            STATUS_REASON: lock.status_reason,
            ID: lock.id,
            'lock_reason': lock.reason,
            'locked_by': lock.locked_by_for(reader_project),
            'locked_at': lock.isotime(),
            END: timestamps.to_iso(lock.expires_at), PASS: None}
