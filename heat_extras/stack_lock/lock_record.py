# SPDX-License-Identifier: Apache-2.0

"""The lock of a stack with its lock pass, and their description for users.

Pure: does not import Heat.
"""

import dataclasses
import datetime
import typing

from heat_extras.heat_internals import caller
from heat_extras.heat_internals import object_data
from heat_extras import sanitize
from heat_extras.stack_lock import messages
from heat_extras.stack_lock import operations
from heat_extras.stack_lock import states
from heat_extras import timestamps

# Added to the error while a lock pass is in use.
_PASS_IN_USE = (
    'An operation that the lock allows to finish is in progress. Until this '
    'operation ends, no other operation can change the stack. The pass user, '
    'or a user who may unlock the stack, can cancel this operation. ')

OVERLAY_FULL = 'full'


@dataclasses.dataclass(frozen=True)
class GuardRecord:
    """A lock or delete protection that a user has set.

    :cvar RULE: the policy rule that removing it requires.
    :cvar OVERRIDE_RULE: the rule if an administrator has set it.
    :cvar NAME: its name in messages.
    :cvar VERB: what was done to the stack, in messages.
    """

    RULE: typing.ClassVar[str]
    OVERRIDE_RULE: typing.ClassVar[str]
    NAME: typing.ClassVar[str]
    VERB: typing.ClassVar[str]

    id: str | None = None
    reason: str | None = None
    set_by: str | None = None
    set_by_id: str | None = None
    set_by_project: str | None = None
    rank: str | None = None
    set_at: datetime.datetime | None = None

    def is_set_by(self, user_id: str | None) -> bool:
        """Return whether a user has set it, False if it is not known.

        :param user_id: see :func:`heat_extras.heat_internals.caller.user_id`.
        """
        return user_id is not None and user_id == self.set_by_id

    def set_by_for(self, project: str | None) -> str | None:
        """Return the user who set it, or None for another project.

        :param project: the ID of the reader's project.
        """
        return self.set_by if project == self.set_by_project else None

    def isotime(self) -> str | None:
        """Return the time in the format of Heat's API."""
        return timestamps.to_iso(self.set_at)

    def by_and_since(self, reader_project: str | None) -> str:
        """Describe the user and the time."""
        user = self.set_by_for(reader_project) or 'a user of another project'
        return f'{user} since {self.isotime()}'

    @property
    def required_policy(self) -> str:
        """Return the name of the policy rule that removing it requires."""
        return (f'actions:{self.OVERRIDE_RULE}' if self.rank == states.ADMIN
                else f'actions:{self.RULE}')


def user_fields(row: typing.Any) -> dict:
    """Return the fields of :class:`GuardRecord` in a row of the table."""
    return {field.name: getattr(row, field.name)
            for field in dataclasses.fields(GuardRecord)}


@dataclasses.dataclass(frozen=True)
class PassUser:
    """The user of a lock pass: an ID, or a name and a domain.

    A caller is compared with it by Keystone's data of the token, which each
    request has. The user is not queried when a pass is granted.

    :param domain: the ID or the name of the domain.
    """

    id: str | None = None
    name: str | None = None
    domain: str | None = None

    @classmethod
    def from_row(cls, row: typing.Any) -> 'PassUser':
        return cls(row.pass_user_id, row.pass_user_name, row.pass_user_domain)

    def to_dict(self) -> dict:
        """Return the user as in requests and responses."""
        if self.name is None:
            return {'id': self.id}
        return {'name': self.name, 'domain': self.domain}

    def describe(self) -> str:
        """Describe the user for a message."""
        return (f'the user with the ID {self.id}' if self.name is None
                else f'user {self.name} of domain {self.domain}')

    def is_caller(self, context: typing.Any) -> bool:
        """Return whether a caller is this user, without a trust.

        :param context: the heat.common.context.RequestContext of the request.
        """
        token = caller.token_data(context)
        user = token.get('user') or {}
        if not user or _has_trust(context, token):
            return False
        if self.name is None:
            return self.id is not None and user.get('id') == self.id
        domain = user.get('domain') or {}
        return user.get('name') == self.name and self.domain in (
            domain.get('id'), domain.get('name'))


def _has_trust(context: typing.Any, token: dict) -> bool:
    return bool(token.get('OS-TRUST:trust') or context.trust_id
                or context.trustor_user_id)


def pass_user_for(project: str | None, row: typing.Any) -> str | None:
    """Describe the user of a lock pass, or return None for another project.

    :param project: the ID of the readers' project. Only the project that has
        granted the pass may know its users.
    :param row: the row with the pass.
    """
    return (PassUser.from_row(row).describe()
            if project == row.pass_granted_by_project else None)


def to_or_by_user(project: str | None, row: typing.Any) -> str:
    """Describe the user of a lock pass, or that another project granted it.

    Another project can also have granted the pass to a user of the readers'
    project.

    :param project: as for :func:`pass_user_for`.
    """
    user = pass_user_for(project, row)
    return 'by a user of another project' if user is None else f'to {user}'


@dataclasses.dataclass(frozen=True)
class Lock(GuardRecord):
    """The lock of one stack. Every field of an unlocked stack is None.

    :ivar action: the action that can be shown in place of the stack's own. It
        is None in a complete lock that had a lock pass.
    :ivar status: the status, in the same way.
    :ivar operation_id: the ID of the lock or unlock in progress.
    :ivar pass_row: the row with a valid lock pass, or None.
    :ivar is_passing: whether an update with a lock pass is in progress.
    """

    RULE, OVERRIDE_RULE = 'unlock', 'unlock_override'
    NAME, VERB = 'lock', 'locked'

    level: str | None = None
    action: str | None = None
    status: str | None = None
    status_reason: str | None = None
    operation_id: str | None = None
    expires_at: datetime.datetime | None = None
    pass_row: typing.Any = None
    is_passing: bool = False

    @classmethod
    def from_columns(cls, row: typing.Any) -> 'Lock':
        """Return the lock as far as the columns of the stack have it.

        :param row: an object with the columns of the stack.
        :returns: a lock with its level and ID. It is :data:`UNLOCKED` for
            most stacks, or :data:`UNLOCK_SHOWN`.
        """
        level = row.lock_level or row.lock_passing
        if level is None:
            return UNLOCKED if row.lock_id is None else UNLOCK_SHOWN
        return cls(id=row.lock_id, level=level,
                   is_passing=row.lock_level is None)

    @classmethod
    def from_row(cls, row: typing.Any) -> 'Lock':
        """Read the lock from a row of ``guard_row.select_guards()``."""
        columns = cls.from_columns(row)
        if row.id is None or not columns.is_locked:
            return columns
        return cls(**user_fields(row), action=row.action, status=row.status,
                   status_reason=row.status_reason, level=columns.level,
                   operation_id=row.operation_id, expires_at=row.expires_at,
                   pass_row=row if row.has_pass else None,
                   is_passing=columns.is_passing)

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

    @property
    def is_protecting(self) -> bool:
        """Return whether the lock protects resources, not releases them."""
        return (self.action, self.level) == (states.LOCK, states.ALL)

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
        policy = f'Required policy: {self.required_policy}.'
        # The reader of an administrator's lock is usually no administrator.
        steps, also = ((f'An administrator has set this lock. {policy} '
                        f'{unlock}', ' and actions:unlock_override')
                       if self.rank == states.ADMIN
                       else (f'{unlock} {policy}', ''))
        advice = ''
        if (operation == operations.UPDATE and root_name == stack_name
                and self.can_have_pass):
            advice = (
                ' To allow only this update, a user with policy '
                f'actions:lock_pass{also} can grant a lock pass: openstack '
                f'stack lock pass grant --user USER --for 1h {stack_name}.'
                if self.pass_row is None else
                ' The stack already has a lock pass, granted '
                f'{to_or_by_user(reader_project, self.pass_row)} until '
                f'{timestamps.to_iso(self.pass_row.pass_expires_at)}.')
        return (
            f'Stack {stack_name} ({stack_id}) {self.summary(reader_project)}'
            f'{until}{sanitize.after_colon(self.reason)}. '
            f'{_PASS_IN_USE if self.is_passing else ""}{steps}{advice}')

    def summary(self, reader_project: str | None) -> str:
        """Describe the level, user and time of the lock."""
        return (f'is locked (level {self.level}) by '
                f'{self.by_and_since(reader_project)}')

    @property
    def can_have_pass(self) -> bool:
        return (self.level == states.STACKS
                and not self.refuses(operations.LOCK_PASS))

    def pass_body(self, context: typing.Any,
                  is_admins: bool = False) -> dict | None:
        """Return the lock pass as in responses, or None.

        :param context: the context of the reader. Other projects do not see
            the users.
        :param is_admins: whether an administrator of another project sees
            them.
        """
        row = self.pass_row
        if row is None:
            return None
        is_named = (context.project_id == row.pass_granted_by_project
                    or (is_admins and context.is_admin))
        return {'user': PassUser.from_row(row).to_dict() if is_named else None,
                'expires_at': timestamps.to_iso(row.pass_expires_at),
                'reason': row.pass_reason,
                'granted_by': row.pass_granted_by if is_named else None,
                'granted_at': timestamps.to_iso(row.pass_granted_at),
                'used_at': timestamps.to_iso(row.pass_used_at)}


UNLOCKED = Lock()
#: A lock ID without a level: shown from an unlock to the next operation.
UNLOCK_SHOWN = Lock(action=states.UNLOCK, status=states.COMPLETE,
                    status_reason=messages.UNLOCKED)

# The fields of a lock in the bodies of stacks.
LEVEL = 'lock_level'
STATUS, STATUS_REASON = 'lock_status', 'lock_status_reason'
ID, END, PASS = 'lock_id', 'lock_expires_at', 'lock_pass'
PUBLIC_FIELDS = (LEVEL, STATUS, STATUS_REASON, ID, 'lock_reason', 'locked_by',
                 'locked_at', END, PASS)
PRIOR_STACK_STATUS = 'prior_stack_status'


def lock_of(stack: object) -> Lock:
    """Return the lock in the columns of a loaded heat.engine.stack.Stack."""
    return object_data.of_stack(stack).lock or UNLOCKED


def public_fields(lock: Lock, reader_project: str | None) -> dict:
    """Return the fields of a lock in the bodies of stacks.

    :returns: ``lock_level``, ``lock_status``, ``lock_status_reason``,
        ``lock_id``, ``lock_reason``, ``locked_by``, ``locked_at``,
        ``lock_expires_at`` and ``lock_pass``. For an unlocked stack, each is
        None. The caller sets the last one.
    """
    if not lock.is_locked:
        return dict.fromkeys(PUBLIC_FIELDS)
    return {LEVEL: lock.level,
            STATUS: '_'.join(filter(None, lock.state)),
            STATUS_REASON: lock.status_reason,
            ID: lock.id,
            'lock_reason': lock.reason,
            'locked_by': lock.set_by_for(reader_project),
            'locked_at': lock.isotime(),
            END: timestamps.to_iso(lock.expires_at), PASS: None}
