# SPDX-License-Identifier: Apache-2.0

"""Requests to lock or unlock: what is asked, of which tree, by whom."""

import contextlib

from heat.objects import stack as stack_object
from oslo_log import log as logging

from heat_extras.db import charset
from heat_extras.db import stack_columns
from heat_extras.heat_internals import caller
from heat_extras.heat_internals import heartbeat
from heat_extras.heat_internals import lock_callbacks
from heat_extras import sanitize
from heat_extras.stack_lock import errors
from heat_extras.stack_lock import events
from heat_extras.stack_lock import expiry
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock import lock_transaction
from heat_extras.stack_lock import messages
from heat_extras.stack_lock import override_policy
from heat_extras.stack_lock import states

LOG = logging.getLogger(__name__)

REASON_LENGTH = sanitize.LINE
# How many of the operations in progress a refusal names.
_NAMED_BLOCKERS = 5


def validate(named, dry_run=False, replace=False):
    """Check the fields of a request to lock, but for its expiration.

    :param named: those of the lock, as the request names them.
    :raises StackLockInvalid: saying what was found and what was wanted.
    """
    level = named.get('level', states.DEFAULT_LEVEL)
    if level not in states.LEVELS:
        raise errors.StackLockInvalid(message=(
            f'Invalid level: {sanitize.quote(level)} must be one of '
            f'{", ".join(states.LEVELS)}.'))
    for name, value in (('dry_run', dry_run), ('replace', replace)):
        check_boolean(name, value)
    validate_reason('lock reason', named.get('reason'))


def check_boolean(name, value):
    """Reject a field of a request that must be true or false.

    :raises StackLockInvalid:
    """
    if not isinstance(value, bool):
        raise errors.StackLockInvalid(
            message=f'Invalid {name}: {sanitize.quote(value)} must be true or '
                    'false.')


def validate_reason(what, reason):
    """Check the reason of a request; None is none.

    :param what: names it, like ``lock reason``.
    :raises StackLockInvalid: saying what was found and what was wanted.
    """
    if reason is None:
        return
    if not isinstance(reason, str):
        raise errors.StackLockInvalid(
            message=f'Invalid {what}: {sanitize.quote(reason)} must be a '
                    'string.')
    if len(reason) > REASON_LENGTH:
        raise errors.StackLockInvalid(message=(
            f'Invalid {what}: it has {len(reason)} characters, at most '
            f'{REASON_LENGTH} are allowed.'))
    try:
        charset.check_storable(what, reason)
    except ValueError as error:
        raise errors.StackLockInvalid(message=str(error)) from error


def root_row(service, context, stack_identity, verb):
    """Load the row of the stack that a request names.

    :raises StackLockInvalid: when it is a nested stack; its root is named.
    """
    stack = service._get_stack(context, stack_identity)
    if stack.owner_id is None:
        return stack
    root = stack_object.Stack.get_by_id(
        context, stack_object.Stack.get_root_id(context, stack.id),
        eager_load=False)
    raise errors.StackLockInvalid(message=(
        f'Stack {messages.name_and_id(stack)} is nested, and a tree of stacks '
        f'can only be {verb}ed as a whole: {verb} its root stack '
        f'{messages.name_and_id(root)} instead.'))


def checker(context, stack, action, expected=None, called=None):
    """Make the check that runs inside the transaction, on the current row.

    :param expected: the ``Precondition`` of the request, see :mod:`lock_list`.
    :param called: begins the refusal, before "of stack ..."; None: the name
        of the action does.
    """
    def check(lock):
        override_policy.check(context, stack, lock)
        if expected is not None:
            expected.check(stack, lock)
        if lock.refuses(action):
            raise errors.StackLockConflict(
                message=_not_allowed(stack, lock, called or action))
    return check


def check_early(context, root, action, expected=None):
    """Refuse before plugins are asked, as the lock is now.

    :param root: a heat.objects.stack.Stack.
    """
    checker(context, root, action, expected)(
        lock_record.Lock.from_row(stack_columns.get_columns(root)))


def lock_checker(context, root, expected, replace):
    """Make the check of a request to lock; see :func:`checker`.

    Another user's lock is changed by its ID, or replaced, and not by chance.
    """
    check_state = checker(context, root, states.LOCK, expected)

    def check(lock):
        check_state(lock)
        if (lock.is_locked and expected is None and not replace
                and not lock.is_set_by(caller.user_id(context))):
            raise errors.StackLockConflict(message=(
                f'Stack {messages.name_and_id(root)} '
                f'{lock.summary(context.project_id)}'
                f'{sanitize.because(lock.reason)}. Nothing was changed. To '
                f'change this lock, name its ID, {lock.id}. To replace it: '
                f'openstack stack lock --replace {root.name} '
                '("replace": true).'))
    return check


def check_lock_early(context, root, wanted, check):
    """Refuse before plugins are asked, as the lock is now.

    :param root: a heat.objects.stack.Stack.
    :param wanted: the :class:`lock_transaction.Request`.
    :param check: see :func:`lock_checker`.
    :returns: the level that the lock will have.
    """
    lock = lock_record.Lock.from_row(stack_columns.get_columns(root))
    check(lock)
    level = wanted.level_after(lock)
    expiry.check_early(context, root, level, wanted.expires_at)
    return level


def _not_allowed(stack, lock, called):
    if not lock.is_locked:
        return messages.not_locked(messages.name_and_id(stack))
    state, advice = f'it is {"_".join(lock.state)}', (
        'Unlock the stack first. Then it can be locked again.')
    if lock.is_passing:
        state = 'an operation that its lock allows to finish is in progress'
        advice = (
            f'Wait until it ends, cancel it (openstack stack cancel '
            f'{stack.name}), or unlock the stack (openstack stack unlock '
            f'{stack.name}).')
    elif lock.status == states.IN_PROGRESS:
        advice = 'Wait until the operation ends, then try again.'
    return (f'{called} of stack {messages.name_and_id(stack)} is not allowed '
            f'while {state}. Nothing was changed. {advice}')


def read(context, named, expires_at, replace, engine_id):
    """Make the request of a caller.

    :param named: the fields that it names.
    :param expires_at: the end, as :func:`expiry.parse` returns it.
    :param replace: whether a lock that is there keeps nothing.
    :returns: a :class:`lock_transaction.Request`.
    """
    return lock_transaction.Request(
        level=named.get('level', states.DEFAULT_LEVEL),
        reason=sanitize.given(named.get('reason')),
        locked_by=charset.storable_line(caller.printable_name(context)),
        locked_by_id=caller.user_id(context),
        project=context.project_id, rank=override_policy.rank_of(context),
        engine_id=engine_id, expires_at=expires_at,
        keeps=frozenset() if replace
        else lock_transaction.KEPT.difference(named))


def lock(context, root, wanted, check):
    """Lock the tree; ignore left-overs of engines that are down.

    :param wanted: the :class:`lock_transaction.Request`.
    :param check: see :func:`lock_checker`.
    :returns: the :class:`lock_transaction.TransactionResult`.
    :raises StackLockConflict: naming what is in the way.
    """
    try:
        try:
            outcome = lock_transaction.lock_tree(context, root.id, wanted,
                                                 check)
        except lock_transaction.TreeBusy as busy:
            dead = heartbeat.find_unresponsive(context, {
                blocker.engine_id for blocker in busy.blockers}
                - {wanted.engine_id})
            if not dead:
                raise
            outcome = lock_transaction.lock_tree(context, root.id, wanted,
                                                 check, dead)
    except lock_transaction.TreeBusy as busy:
        blockers = sanitize.listing(
            [blocker.text for blocker in busy.blockers], most=_NAMED_BLOCKERS)
        raise errors.StackLockConflict(message=(
            f'Stack {messages.name_and_id(root)} cannot be locked now: '
            f'{blockers}. Nothing was changed. Wait until this ends, then try '
            'again.')) from busy
    LOG.info('Locked %(name)s (%(id)s), level %(level)s, stacks in its tree: '
             '%(count)s', {'count': len(outcome.stack_ids),
                           'name': root.name, 'id': root.id,
                           'level': outcome.level})
    return outcome


def unlock(context, root, engine_id, expected=None):
    """Unlock the tree, or start to.

    :param expected: as that of :func:`checker`.
    :returns: the :class:`lock_transaction.TransactionResult`.
    """
    outcome = lock_transaction.unlock_tree(
        context, root.id, checker(context, root, states.UNLOCK, expected),
        engine_id, why=events.requester(
            root, caller.printable_name(context), context.project_id))
    LOG.info('Unlocking %(name)s (%(id)s), stacks in its tree: %(count)s',
             {'count': len(outcome.stack_ids), 'name': root.name,
              'id': root.id})
    return outcome


@contextlib.contextmanager
def ask_callbacks(context, root, action):
    """Ask the lock callbacks, before a request and at its end.

    :raises StackLockConflict: when one of them denies it.
    """
    try:
        with lock_callbacks.run_callbacks(context, root, action) as end:
            yield end
    except lock_callbacks.Denied as denial:
        raise errors.StackLockConflict(message=str(denial)) from denial
