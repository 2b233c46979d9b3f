# SPDX-License-Identifier: Apache-2.0

"""Validate requests to lock or unlock, and run their transactions."""

import contextlib
import dataclasses
import uuid

from heat.objects import stack as stack_object
from oslo_config import cfg
from oslo_log import log as logging
from oslo_utils import uuidutils

from heat_extras.db import charset
from heat_extras.heat_internals import caller
from heat_extras.heat_internals import heartbeat
from heat_extras.heat_internals import lock_callbacks
from heat_extras import sanitize
from heat_extras.stack_lock import errors
from heat_extras.stack_lock import events
from heat_extras.stack_lock import expiry
from heat_extras.stack_lock import guard_row
from heat_extras.stack_lock import lock_transaction
from heat_extras.stack_lock import messages
from heat_extras.stack_lock import override_policy
from heat_extras.stack_lock import states

LOG = logging.getLogger(__name__)

REASON_LENGTH = sanitize.LINE
# The maximum number of operations in progress that an error lists.
_NAMED_BLOCKERS = 5


@dataclasses.dataclass(frozen=True)
class Precondition:
    """The condition that a certain lock is in effect.

    If another user has since locked the stack again, a script must not remove
    this lock. The ID is compared inside the transaction.

    :param id: the ID of the lock, or None if the stack must not be locked.
    """

    id: str | None

    def check(self, stack, lock):
        """Reject the request unless the precondition is met.

        :param stack: an object with ``id`` and ``name``.
        :param lock: its :class:`heat_extras.stack_lock.lock_record.Lock`.
        :raises StackLockConflict: with the lock in effect.
        """
        if self.id != lock.id:
            raise errors.StackLockConflict(
                message=self._not_met_message(stack, lock))

    def _not_met_message(self, stack, lock):
        named = messages.name_and_id(stack)
        if not lock.is_locked:
            return (f'Lock {self.id} is not in effect: stack {named} is not '
                    'locked. The stack was not changed. To lock the stack: '
                    f'openstack stack lock {stack.name}.')
        current = (f'lock {lock.id} (level {lock.level}, since '
                   f'{lock.isotime()})')
        if self.id is None:
            return (f'Stack {named} is locked: {current} is in effect. The '
                    'lock was not changed. To change this lock, give its ID '
                    '(--lock-id). Otherwise, wait until the stack is '
                    'unlocked.')
        return (f'Lock {self.id} is not in effect on stack {named}: {current} '
                'is in effect, and was not changed. Check who has set this '
                'lock, and why. To change this lock, give its ID (--lock-id).')


def parse_precondition(condition, action):
    """Parse the precondition of a request.

    :param condition: a dict with ``id``, or None without a precondition.
    :param action: ``lock`` or ``unlock``.
    :returns: a :class:`Precondition`, or None.
    :raises StackLockInvalid: with the value that is not valid.
    """
    if condition is None:
        return None
    if not isinstance(condition, dict) or set(condition) != {'id'}:
        raise errors.StackLockInvalid(
            message=f'Invalid precondition: {sanitize.quote(condition)} must '
                    'be an object with the key "id".')
    lock_id = condition['id']
    if lock_id is None and action == 'lock':
        return Precondition(None)
    if not isinstance(lock_id, str) or not uuidutils.is_uuid_like(lock_id):
        unlocked = (', or null if the stack must not be locked'
                    if action == 'lock' else '')
        raise errors.StackLockInvalid(
            message=f'Invalid id in {action}: {sanitize.quote(lock_id)} must '
                    'be a UUID: the ID of the lock (the field lock_id of the '
                    f'stack){unlocked}.')
    return Precondition(str(uuid.UUID(lock_id)))


def validate_fields(fields, dry_run=False, replace=False):
    """Check the fields of a request to lock, except for its expiration.

    :param fields: a dict with the values of the lock in the request.
    :raises StackLockInvalid: if a value is not valid.
    """
    level = fields.get('level', states.DEFAULT_LEVEL)
    if level not in states.LEVELS:
        raise errors.StackLockInvalid(message=(
            f'Invalid level: {sanitize.quote(level)} must be one of '
            f'{", ".join(states.LEVELS)}.'))
    for name, value in (('dry_run', dry_run), ('replace', replace)):
        check_boolean(name, value)
    validate_reason('lock reason', fields.get('reason'))


def check_boolean(name, value):
    """Check that a field of a request is true or false.

    :raises StackLockInvalid: if the value is not a boolean.
    """
    if not isinstance(value, bool):
        raise errors.StackLockInvalid(
            message=f'Invalid {name}: {sanitize.quote(value)} must be true or '
                    'false.')


def validate_reason(name, reason):
    """Check the reason of a request, which can be None.

    :param name: the name of the field, like ``lock reason``.
    :raises StackLockInvalid: if the reason is not valid.
    """
    if reason is None:
        return
    if not isinstance(reason, str):
        raise errors.StackLockInvalid(
            message=f'Invalid {name}: {sanitize.quote(reason)} must be a '
                    'string.')
    if len(reason) > REASON_LENGTH:
        raise errors.StackLockInvalid(message=(
            f'Invalid {name}: it has {len(reason)} characters, at most '
            f'{REASON_LENGTH} are allowed.'))
    try:
        charset.check_storable(name, reason)
    except ValueError as error:
        raise errors.StackLockInvalid(message=str(error)) from error


def load_root(service, context, stack_identity, verb):
    """Load the row of the root stack in a request.

    :param verb: what to do with the root, for the error message.
    :raises StackLockInvalid: for a nested stack, with the name of its root.
    """
    stack = service._get_stack(context, stack_identity)
    if stack.owner_id is None:
        return stack
    root = stack_object.Stack.get_by_id(
        context, stack_object.Stack.get_root_id(context, stack.id),
        eager_load=False)
    raise errors.StackLockInvalid(message=(
        f'Stack {messages.name_and_id(stack)} is nested, and this request '
        'applies only to whole stack trees. Nothing was changed. Instead, '
        f'{verb} the root stack {messages.name_and_id(root)}.'))


def transaction_check(context, stack, action, expected=None,
                      operation_name=None):
    """Return the check of the current row that runs inside the transaction.

    :param expected: the :class:`Precondition` of the request.
    :param operation_name: the begin of the error, before "of stack ...". By
        default, this is the name of the action.
    """
    def check(lock):
        override_policy.check(context, stack, lock)
        if expected is not None:
            expected.check(stack, lock)
        if lock.refuses(action):
            raise errors.StackLockConflict(message=_not_allowed_message(
                stack, lock, operation_name or action))
    return check


def check_early(context, root, action, expected=None):
    """Check the current lock before plugins are called.

    :param root: a heat.objects.stack.Stack.
    """
    transaction_check(context, root, action, expected)(
        guard_row.read_lock_of(context, root))


def lock_check(context, root, expected, replace):
    """Return the check of a request to lock, see :func:`transaction_check`.

    To change the lock of another user, the request needs its ID or must
    replace the lock.
    """
    check_state = transaction_check(context, root, states.LOCK, expected)

    def check(lock):
        check_state(lock)
        if (lock.is_locked and expected is None and not replace
                and not lock.is_set_by(caller.user_id(context))):
            raise errors.StackLockConflict(message=(
                f'Stack {messages.name_and_id(root)} '
                f'{lock.summary(context.project_id)}'
                f'{sanitize.after_colon(lock.reason)}. '
                'The lock was not changed. To change this lock, give its ID '
                f'(--lock-id): {lock.id}. To replace this lock: openstack '
                f'stack lock --replace {root.name} ("replace": true).'))
    return check


def check_lock_early(context, root, request, check):
    """Check the current lock before plugins are called.

    :param root: a heat.objects.stack.Stack.
    :param request: the :class:`lock_transaction.Request`.
    :param check: the result of :func:`lock_check`.
    :returns: the level that the lock will have.
    """
    lock = guard_row.read_lock_of(context, root)
    check(lock)
    level = request.level_after(lock)
    expiry.check_early(context, root, level, request.expires_at)
    return level


def _not_allowed_message(stack, lock, operation_name):
    if not lock.is_locked:
        return messages.not_locked(messages.name_and_id(stack))
    state, advice = f'its lock is {"_".join(lock.state)}', (
        'Unlock the stack first. Then it can be locked again.')
    if lock.is_passing:
        state = 'an operation that its lock allows to finish is in progress'
        advice = (
            'Wait until this operation ends, cancel it (openstack stack '
            f'cancel {stack.name}), or unlock the stack (openstack stack '
            f'unlock {stack.name}).')
    elif lock.status == states.IN_PROGRESS:
        advice = 'Wait until the operation ends, then try again.'
    return (f'{operation_name} of stack {messages.name_and_id(stack)} is not '
            f'allowed while {state}. The lock was not changed. {advice}')


def make_request(context, fields, expires_at, replace, engine_id):
    """Return the request of a caller for the transaction.

    :param fields: a dict with the values of the lock in the request.
    :param expires_at: the result of :func:`expiry.parse_expiration`.
    :param replace: whether to replace all values of an existing lock.
    :returns: a :class:`lock_transaction.Request`.
    """
    return lock_transaction.Request(
        level=fields.get('level', states.DEFAULT_LEVEL),
        reason=sanitize.none_if_blank(fields.get('reason')),
        locked_by=charset.storable_line(caller.printable_name(context)),
        locked_by_id=caller.user_id(context),
        project=context.project_id, rank=override_policy.rank_of(context),
        engine_id=engine_id, expires_at=expires_at,
        keeps=frozenset() if replace
        else lock_transaction.KEPT.difference(fields))


def lock_tree(context, root, request, check):
    """Lock the tree, and ignore operations of engines that are down.

    A ping alone, as Heat does before it takes a resource from another engine,
    is not sufficient: an engine that is only slow would change resources of
    the locked tree.

    :param request: the :class:`lock_transaction.Request`.
    :param check: the result of :func:`lock_check`.
    :returns: the :class:`lock_transaction.TransactionResult`.
    :raises StackLockConflict: with the operations in progress.
    """
    try:
        try:
            outcome = lock_transaction.lock_tree(context, root.id, request,
                                                 check)
        except lock_transaction.TreeBusy as busy:
            dead = heartbeat.find_down(context, {
                blocker.engine_id for blocker in busy.blockers}
                - {request.engine_id})
            if not dead:
                raise
            outcome = lock_transaction.lock_tree(context, root.id, request,
                                                 check, dead)
    except lock_transaction.TreeBusy as busy:
        blockers = sanitize.join_some(
            [blocker.text for blocker in busy.blockers], most=_NAMED_BLOCKERS)
        raise errors.StackLockConflict(message=(
            f'Stack {messages.name_and_id(root)} cannot be locked now, '
            f'because operations are in progress: {blockers}. The stack was '
            'not changed. Wait until these operations have ended, and try '
            'again.')) from busy
    LOG.info('Locked %(name)s (%(id)s), level %(level)s, stacks in its tree: '
             '%(count)s', {'count': len(outcome.stack_ids),
                           'name': root.name, 'id': root.id,
                           'level': outcome.level})
    return outcome


def unlock_tree(context, root, engine_id, expected=None):
    """Unlock the tree, or start to unlock it.

    :param expected: as in :func:`transaction_check`.
    :returns: the :class:`lock_transaction.TransactionResult`.
    """
    outcome = lock_transaction.unlock_tree(
        context, root.id,
        transaction_check(context, root, states.UNLOCK, expected), engine_id,
        why=events.requested_by(root, caller.printable_name(context),
                                context.project_id))
    LOG.info('Unlocking %(name)s (%(id)s), stacks in its tree: %(count)s',
             {'count': len(outcome.stack_ids), 'name': root.name,
              'id': root.id})
    return outcome


@contextlib.contextmanager
def call_callbacks(context, root, action):
    """Call the lock callbacks before a request, and at its end.

    :raises StackLockConflict: if a callback denies the request.
    """
    try:
        with lock_callbacks.run_callbacks(context, root, action) as end:
            yield end
    except lock_callbacks.Denied as denial:
        raise errors.StackLockConflict(message=str(denial)) from denial


def check_all_guarded(context, consequence='No stack can be locked',
                      feature='stack_lock',
                      effect='enforce locks or protections'):
    """Reject a request that an engine without a feature would not enforce.

    :param consequence: the begin of the sentence in the error.
    :param effect: what an engine does only with the feature.
    :raises StackLockConflict: with the names of the engines.
    """
    if cfg.CONF.heat_extras.allow_unguarded_engines:
        return
    engines = heartbeat.describe_engines_without(context, feature)
    if engines:
        raise errors.StackLockConflict(message=(
            f'{consequence} now: these engines run without the feature '
            f'"{feature}" of heat-extras, and would not {effect}: '
            f'{", ".join(engines)}. Ask the operator of this '
            f'Heat to add "{feature}" to [heat_extras] features on these '
            'engines and restart them, or to stop them. To accept such '
            'engines, the operator can set allow_unguarded_engines = true.'))
