# SPDX-License-Identifier: Apache-2.0

"""The lock in a stack's row, and its description for users.

Pure: does not import Heat.
"""

import dataclasses
import datetime
import typing

from heat_extras.heat_internals import object_data
from heat_extras import sanitize
from heat_extras.stack_lock import operations
from heat_extras.stack_lock import states
from heat_extras import timestamps

#: The columns of a lock. They are also copied to a stack that is created in a
#: locked tree.
COLUMNS = (
    'lock_level', 'lock_passing', 'lock_action', 'lock_status',
    'lock_status_reason', 'lock_reason', 'locked_by', 'locked_by_id',
    'locked_by_project', 'lock_rank', 'locked_at', 'lock_id')

# Added to the error while a lock pass is in use.
_PASS_IN_USE = (
    'An operation that the lock allows to finish is in progress. Until this '
    'operation ends, no other operation can change the stack. The pass user, '
    'or a user who may unlock the stack, can cancel this operation. ')

OVERLAY_FULL = 'full'


@dataclasses.dataclass(frozen=True)
class Lock:
    """The lock of one stack. Every field of an unlocked stack is None.

    :ivar action: the action that can be shown in place of the stack's own. It
        is None in a complete lock that had a lock pass.
    :ivar status: the status, in the same way.
    :ivar granted: a sentence about a valid lock pass, for a rejected update.
    :ivar is_passing: whether an update with a lock pass is in progress.
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
            # This is fast, because most stacks are unlocked, and a list can
            # have hundreds of stacks.
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
        """Return whether Heat's own writes to the stack are rejected."""
        return self.is_locked and not self.is_passing

    @property
    def state(self) -> tuple[str | None, str | None]:
        if self.is_locked and self.action is None:
            return (states.LOCK, states.COMPLETE)
        return (self.action, self.status)

    def verdict(self, operation: str) -> str:
        """Return whether an operation is allowed, rejected or ignored.

        :returns: one of the verdicts of :mod:`operations`.
        """
        return operations.verdict(operation, self.state, self.is_locked,
                                  self.is_passing)

    def refuses(self, operation: str) -> bool:
        """Return whether a caller without special rights is rejected."""
        verdict = self.verdict(operation)
        return verdict == operations.REFUSE or (
            self.is_passing and verdict in operations.FOR_SOME)

    def ignores(self, operation: str) -> bool:
        return self.verdict(operation) == operations.IGNORE

    def covers(self, overlay: str) -> bool:
        """Return whether to show the lock's state in place of the stack's."""
        return self.action is not None and overlay == OVERLAY_FULL

    def is_set_by(self, user_id: str | None) -> bool:
        """Return whether a user has set the lock, False if it is not known.

        :param user_id: see :func:`heat_extras.heat_internals.caller.user_id`.
        """
        return user_id is not None and user_id == self.locked_by_id

    def locked_by_for(self, project: str | None) -> str | None:
        """Return the user who set the lock, or None for another project.

        :param project: the ID of the reader's project.
        """
        return self.locked_by if project == self.project else None

    def isotime(self) -> str | None:
        """Return the time of the lock in the format of Heat's API."""
        return timestamps.to_iso(self.locked_at)

    def describe(self, stack_name: str, stack_id: str,
                 reader_project: str | None, root_name: str | None = None,
                 operation: str = operations.OTHER) -> str:
        """Describe the lock of a stack, and how to unlock it.

        :param root_name: the name of the root of a nested stack, or None.
        :param operation: the rejected operation.
        """
        until = (f' until {timestamps.to_iso(self.expires_at)}'
                 if self.expires_at else '')
        root_name = root_name or stack_name
        unlock = f'To unlock the stack: openstack stack unlock {root_name}.'
        policy = f'Required policy: {self.right_to_unlock}.'
        # The reader of an administrator's lock is usually no administrator.
        steps, also = ((f'An administrator has set this lock. {policy} '
                        f'{unlock}', ' and actions:unlock_override')
                       if self.rank == states.ADMIN
                       else (f'{unlock} {policy}', ''))
        advice = ''
        if (operation == operations.UPDATE and root_name == stack_name
                and self.can_have_pass):
            advice = self.granted or (
                ' To allow only this update, a user with policy '
                f'actions:lock_pass{also} can grant a lock pass: openstack '
                f'stack lock pass grant --user USER --for 1h {stack_name}.')
        return (
            f'Stack {stack_name} ({stack_id}) {self.summary(reader_project)}'
            f'{until}{sanitize.after_colon(self.reason)}. '
            f'{_PASS_IN_USE if self.is_passing else ""}{steps}{advice}')

    def summary(self, reader_project: str | None) -> str:
        """Describe the level, user and time of the lock."""
        user = (self.locked_by_for(reader_project)
                or 'a user of another project')
        return (f'is locked (level {self.level}) by {user} since '
                f'{self.isotime()}')

    @property
    def right_to_unlock(self) -> str:
        """Return the name of the policy rule that an unlock requires."""
        return ('actions:unlock_override' if self.rank == states.ADMIN
                else 'actions:unlock')

    @property
    def can_have_pass(self) -> bool:
        return (self.level == states.STACKS
                and not self.refuses(operations.LOCK_PASS))


UNLOCKED = Lock()

# The fields of a lock in the bodies of stacks.
LEVEL = 'lock_level'
STATUS, STATUS_REASON = 'lock_status', 'lock_status_reason'
ID, END, PASS = 'lock_id', 'lock_expires_at', 'lock_pass'
PUBLIC_FIELDS = (LEVEL, STATUS, STATUS_REASON, ID, 'lock_reason', 'locked_by',
                 'locked_at', END, PASS)
PRIOR_STACK_STATUS = 'prior_stack_status'


def lock_of(stack: object) -> Lock:
    """Return the lock of a heat.engine.stack.Stack when it was loaded."""
    return object_data.of_stack(stack).lock or UNLOCKED


def public_fields(lock: Lock, reader_project: str | None) -> dict:
    """Return the fields of a lock in the bodies of stacks.

    :returns: ``lock_level``, ``lock_status``, ``lock_status_reason``,
        ``lock_id``, ``lock_reason``, ``locked_by``, ``locked_at``,
        ``lock_expires_at`` and ``lock_pass``. For an unlocked stack, each is
        None. :func:`expiry.add_fields` sets the last two.
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
