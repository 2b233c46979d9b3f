# SPDX-License-Identifier: Apache-2.0

"""Start operations, and reject those that lose to a lock.

If an operation of the convergence engine loses its compare-and-swap, Heat
itself reports success, and has already replaced the trust of the stack. The
legacy engine starts an operation in a thread, after it has the StackLock.

The deletion of a tree whose lock failed first unlocks the tree. Policy rules,
the protection from deletion, and plugins can reject the deletion. They are
checked before the unlock, for UNLOCK and for DELETE. The unlock is like any
other unlock, but the request waits for it. If a resource cannot be released,
the deletion is rejected, and the tree stays locked.
"""

import contextlib

from heat.common import exception
from heat.db import api as db_api
from heat.objects import raw_template
from heat.objects import snapshot as snapshot_object
from heat.objects import stack as stack_object
from heat.objects import stack_lock

from heat_extras.db import transactions
from heat_extras.heat_internals import caller
from heat_extras.heat_internals import lock_callbacks
from heat_extras.heat_internals import object_data
from heat_extras import rpc_request
from heat_extras.stack_lock import check
from heat_extras.stack_lock.delete_protection import protection
from heat_extras.stack_lock.delete_protection import protection_tag
from heat_extras.stack_lock import errors
from heat_extras.stack_lock import events
from heat_extras.stack_lock import guard_row
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock import lock_request
from heat_extras.stack_lock import lock_thread
from heat_extras.stack_lock import lock_transaction
from heat_extras.stack_lock import messages
from heat_extras.stack_lock import operations
from heat_extras.stack_lock import override_policy
from heat_extras.stack_lock import pass_use
from heat_extras.stack_lock import states

_ATTEMPTS = 5


class Start:
    """The result of the first store() in a converge_stack().

    :param updated: the new definition of the stack, or None.
    """

    missed = False
    is_first = True

    def __init__(self, updated):
        self.updated = updated


def converge_stack(stack, start, proceed):
    """Start an operation, and raise an error if it loses to a lock.

    :param start: the :class:`heat_extras.guard.Start`.
    :param proceed: starts the operation.
    :raises StackLocked: if the stack was locked in the meantime.
    """
    current = operations.current()
    if current is None or stack.id is None:
        # For a worker or a rollback, no caller receives the error.
        return proceed()
    with _unlock_first(stack, current):
        return _try_converge(stack, current, start, proceed)


def _try_converge(stack, current, start, proceed):
    template, updated = start.template, start.new_stack
    data = object_data.of_stack(stack)
    attempt = data.start = Start(updated)
    was_stored = template.id is not None
    try:
        result = proceed()
    finally:
        data.start = None
    if attempt.missed:
        # Not inside of reset_state_on_error, which would set the stack to
        # FAILED and write an event.
        _delete_leftovers(stack, template, was_stored,
                          start.options.get('new_traversal_id'))
        check.check_again(stack.context, stack.id, current)
        if operations.is_deletion(current):
            _check_overtaken(stack.context, stack.id)
        else:
            _check_tag_is_set(stack, updated)
    return result


def _delete_leftovers(stack, template, template_was_stored, snapshot_id):
    # The operation stored these rows before its compare-and-swap.
    if snapshot_id is not None:
        transactions.on_db_error(snapshot_object.Snapshot.delete)(
            stack.context, snapshot_id)
    if not template_was_stored and template.id is not None:
        transactions.on_db_error(raw_template.RawTemplate.delete)(
            stack.context, template.id)


def _check_overtaken(context, stack_id):
    """Reject a deletion that updated no row, unless another has started.

    Heat itself would report success.

    :raises StackLockConflict: if the stack is not being deleted.
    """
    if caller.is_parent_call(context):
        return
    row = stack_object.Stack.get_by_id(context, stack_id, eager_load=False)
    if row is not None and row.action != protection.DELETE:
        raise errors.StackLockConflict(message=(
            f'Stack {messages.name_and_id(row)} was changed by another '
            'request. Its deletion was not started. Check the stack and try '
            'again.'))


def _check_tag_is_set(stack, updated):
    """Reject an update that changed no row, and did not add a tag.

    Heat itself would report success without the tag.

    :param stack: a heat.engine.stack.Stack.
    :param updated: the stack after the update, or None.
    :raises StackLockConflict: if a tag is requested but not stored.
    """
    requested = protection_tag.requested_tags(stack, updated)
    if not requested:
        return
    with db_api.context_manager.reader.independent.using(
            stack.context) as session:
        stored = protection_tag.tags_of_stack(session, stack.id)
    for tag in set(requested).difference(stored):
        raise errors.StackLockConflict(message=(
            f'Stack {messages.name_and_id(stack)} was changed by another '
            'request. The update was not started, so the tag '
            f'{tag!r} was not added to the stack. Check the stack and try '
            'again.'))


def store(stack, original):
    """Call Stack.store, but replace a trust only if no lock can be set.

    :param original: Heat's own method, bound, without arguments.
    :raises StackLocked: if the stack is locked.
    """
    with protection_tag.write_tags_if_current(stack):
        return _store(stack, original)


def _store(stack, original):
    attempt = _first_attempt(stack)
    if attempt is None:
        if getattr(stack, 'refresh_cred', False) and stack.id is not None:
            return _store_with_trust(stack, original)
        return original()
    attempt.is_first = False
    # The second store() replaces the trust, after the first store() has won
    # the compare-and-swap. Then the stack cannot be locked.
    postponed, stack.refresh_cred = stack.refresh_cred, False
    with protection_tag.insert_tag_with_update(stack, attempt.updated):
        stored = original()
    pass_use.mark_passing(stack)
    attempt.missed = stored is None
    stack.refresh_cred = postponed and not attempt.missed
    return stored


def _store_with_trust(stack, original):
    if pass_use.pending_use(stack.id):
        # Heat has loaded the stack for an update with its stored context
        # ([DEFAULT] reauthentication_auth_method). Stack.__init__ would
        # replace the trust before the update is validated.
        object_data.of_stack(stack).awaits_trust = True
        return stack.id
    check.check_again(stack.context, stack.id,
                      operations.current() or operations.OTHER)
    stored = original()
    if object_data.of_stack(stack).awaits_trust:
        stack.context = stack.stored_context()
    return stored


def persist_state(stack, original):
    """Call Stack._persist_state, and record whether it lost to a lock.

    If a policy or a plugin rejects an operation, it fails before its first
    store(), and a lock can prevent the state FAILED. The caller has been
    notified that the operation is accepted, so the tag in the request is
    stored.

    :param original: Heat's own method, bound, without arguments.
    """
    attempt = _first_attempt(stack)
    if attempt is None:
        return original()
    with protection_tag.insert_tag_with_update(stack, attempt.updated):
        persisted = original()
    attempt.missed = not persisted
    return persisted


def _first_attempt(stack):
    attempt = object_data.of_stack(stack).start
    return attempt if attempt is not None and attempt.is_first else None


def check_start(stack):
    """Check an operation that has the StackLock, before its thread starts."""
    current = operations.current()
    # For the thread that releases the StackLock at the end.
    object_data.of_stack(stack).is_exported = current == operations.EXPORT
    if operations.is_deletion(current):
        with _unlock_first(stack, current):
            _start_legacy_deletion(stack, current)
    elif (operations.is_ever_refused(current or operations.OTHER)
          and not pass_use.consume(stack)):
        check.check_again(stack.context, stack.id,
                          current or operations.OTHER)


def end_export(stack, engine_id, proceed):
    """End an operation. Heat 24 and 25 call this also at the end of an export.

    :param stack: the stack. This is another thread than at the start, see
        :func:`check_start`.
    :param proceed: stores the state, writes an event, and releases the lock.
    """
    if lock_record.lock_of(stack).is_in_effect:
        stack_lock.StackLock.release(stack.context, stack.id, engine_id)
        return None
    request = rpc_request.current()
    if object_data.of_stack(stack).is_exported:
        request = rpc_request.Request(operations.EXPORT, stack.context)
    with rpc_request.processing(request):
        return proceed()


def _start_legacy_deletion(stack, operation):
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


@contextlib.contextmanager
def _unlock_first(stack, operation):
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
