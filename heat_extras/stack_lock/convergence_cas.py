# SPDX-License-Identifier: Apache-2.0

"""Reject operations of the convergence engine that lose to a lock.

If an operation loses its compare-and-swap, Heat itself reports success, and
has already replaced the trust of the stack.
"""

from heat.objects import raw_template

from heat_extras.db import retries
from heat_extras.heat_internals import object_data
from heat_extras.stack_lock import check
from heat_extras.stack_lock.delete_protection import protected_deletion
from heat_extras.stack_lock.delete_protection import protection_tag
from heat_extras.stack_lock import deletion
from heat_extras.stack_lock import operations
from heat_extras.stack_lock import pass_use


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
    with deletion.unlock_first(stack, current):
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
            protected_deletion.check_overtaken(stack.context, stack.id)
        else:
            protected_deletion.check_tag_is_set(stack, updated)
    return result


def _delete_leftovers(stack, template, template_was_stored, snapshot_id):
    # The operation stored these rows before its compare-and-swap.
    if snapshot_id is not None:
        check.delete_snapshot(stack.context, snapshot_id)
    if not template_was_stored and template.id is not None:
        retries.on_db_error(raw_template.RawTemplate.delete)(
            stack.context, template.id)


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
