# SPDX-License-Identifier: Apache-2.0

"""Unlock a tree whose lock failed before its deletion.

Policy rules, the protection from deletion, and plugins can reject the
deletion. They are checked before the unlock, for UNLOCK and for DELETE. The
unlock is like any other unlock, but the request waits for it. If a resource
cannot be released, the deletion is rejected, and the tree stays locked.
"""

import contextlib

from heat.common import exception
from heat.objects import stack as stack_object

from heat_extras.heat_internals import caller
from heat_extras.heat_internals import lock_callbacks
from heat_extras.heat_internals import object_data
from heat_extras import rpc_request
from heat_extras.stack_lock import check
from heat_extras.stack_lock import errors
from heat_extras.stack_lock import events
from heat_extras.stack_lock import guard_row
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock import lock_request
from heat_extras.stack_lock import lock_thread
from heat_extras.stack_lock import lock_transaction
from heat_extras.stack_lock import messages
from heat_extras.stack_lock import override_policy
from heat_extras.stack_lock import states

_ATTEMPTS = 5


def check_deletion(context, stack):
    """Check early whether the deletion of a locked tree is rejected.

    :param stack: a heat.objects.stack.Stack, whose lock failed.
    :raises StackLocked: for a nested stack.
    :raises StackLockForbidden: if the lock has a higher rank.
    """
    lock = guard_row.read_lock_of(context, stack)
    if stack.owner_id is not None:
        check.raise_locked(context, stack.name, stack.id, lock, states.DELETE)
    override_policy.check(context, stack, lock)


@contextlib.contextmanager
def unlock_first(stack, operation):
    """Unlock a tree whose lock failed, if the operation is a deletion.

    :param stack: the loaded heat.engine.stack.Stack.
    :raises StackLockConflict: if a plugin denies it, or a resource cannot be
        released.
    """
    if (operation != states.DELETE
            or not lock_record.lock_of(stack).is_in_effect):
        yield
        return
    row = stack_object.Stack.get_by_id(stack.context, stack.id,
                                       eager_load=False)
    with (lock_request.call_callbacks(stack.context, row,
                                      states.UNLOCK) as end_unlock,
          lock_request.call_callbacks(stack.context, stack,
                                      lock_callbacks.DELETE) as end_delete):
        _unlock_tree(stack, row, end_unlock)
        yield
        end_delete(False)


def _unlock_tree(stack, row, end):
    service, context = rpc_request.current().engine, stack.context
    outcome = lock_transaction.unlock_tree(
        context, stack.id, _checker(stack), service.engine_id,
        why=events.requested_by(row, caller.printable_name(context),
                                context.project_id))
    lock_thread.unlock_and_wait(service, context, outcome, end)
    lock = guard_row.read_lock(context, stack.id)[1]
    if lock.is_locked:
        raise errors.StackLockConflict(message=(
            f'Stack {messages.name_and_id(stack)} cannot be deleted: its lock '
            f'could not be removed. {lock.status_reason}'))
    object_data.of_stack(stack).lock = lock_record.UNLOCKED


def _checker(stack):
    def check_lock(lock):
        # This is called inside a transaction, so it must not query more.
        override_policy.check(stack.context, stack, lock)
        if not lock.is_locked:
            raise errors.StackLockConflict(message=(
                f'Stack {messages.name_and_id(stack)} was unlocked by another '
                'request. Its deletion was not started. Try again.'))
        if lock.refuses(states.DELETE):
            raise errors.StackLocked(
                stack_id=stack.id, message=lock.describe(
                    stack.name, stack.id, stack.context.project_id))
    return check_lock


def start_legacy_deletion(stack, operation):
    """Start the deletion of a legacy stack, if it is allowed.

    Heat's thread itself ignores the result of its UPDATE.

    :raises StackLocked: if a lock forbids the deletion.
    :raises StackProtected: if the stack is protected from deletion.
    :raises ActionInProgress: if the UPDATE fails at each attempt, but the
        following check finds no reason.
    """
    for _ in range(_ATTEMPTS):
        if stack_object.Stack.update_by_id(stack.context, stack.id, {
                'action': stack.DELETE, 'status': stack.IN_PROGRESS,
                'status_reason': f'Stack {stack.DELETE} started'}):
            return
        check.check_again(stack.context, stack.id, operation)
    raise exception.ActionInProgress(stack_name=stack.name,
                                     action=stack.action)
