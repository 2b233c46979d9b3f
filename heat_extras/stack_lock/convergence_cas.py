# SPDX-License-Identifier: Apache-2.0

"""Operations of the convergence engine that may lose to a lock.

Heat answers success to one that lost its compare-and-swap, and has replaced
the trust of its stack by then.
"""

from heat.objects import raw_template

from heat_extras.db import retries
from heat_extras.stack_lock import check
from heat_extras.stack_lock.delete_protection import delete_check
from heat_extras.stack_lock.delete_protection import protection_tag
from heat_extras.stack_lock import deletion
from heat_extras.stack_lock.lock_pass import consume
from heat_extras.stack_lock import operations
from heat_extras.stack_lock import request_context


class _Attempt:
    """What happens to the first store() of a converge_stack().

    :param updated: what its stack is to become, or None.
    """

    missed = False
    is_first = True

    def __init__(self, updated):
        self.updated = updated


def converge(stack, original, template, args, kwargs):
    """Do what Stack.converge_stack does; refuse if a lock came before it.

    :param original: Heat's own, bound.
    :raises StackLocked:
    """
    current = request_context.get_operation()
    if current is None or stack.id is None:
        # A worker or a rollback: nobody is there to read a refusal.
        return original(template, *args, **kwargs)
    with deletion.unlock_first(stack, current):
        return _attempt(stack, original, current, template, args, kwargs)


def _attempt(stack, original, current, template, args, kwargs):
    updated = kwargs.get('new_stack')
    attempt = stack.heat_extras_attempt = _Attempt(updated)
    was_stored = template.id is not None
    try:
        result = original(template, *args, **kwargs)
    finally:
        stack.heat_extras_attempt = None
    if attempt.missed:
        # Outside of reset_state_on_error, which would leave a FAILED mark
        # and an event behind.
        _forget(stack, template, was_stored, kwargs.get('new_traversal_id'))
        check.check_again(stack.context, stack.id, current)
        if operations.is_deletion(current):
            delete_check.check_overtaken(stack.context, stack.id)
        else:
            delete_check.check_tag_is_set(stack, updated)
    return result


def _forget(stack, template, template_was_stored, snapshot_id):
    # What a lost operation stored before its compare-and-swap.
    if snapshot_id is not None:
        check.delete_snapshot(stack.context, snapshot_id)
    if not template_was_stored and template.id is not None:
        retries.on_db_error(raw_template.RawTemplate.delete)(
            stack.context, template.id)


def store(stack, original):
    """Do what Stack.store does, and replace no trust before it is safe.

    :param original: Heat's own; takes nothing.
    :raises StackLocked:
    """
    with protection_tag.write_tags_if_current(stack):
        return _store(stack, original)


def _store(stack, original):
    attempt = _first(stack)
    if attempt is None:
        if getattr(stack, 'refresh_cred', False) and stack.id is not None:
            return _store_with_trust(stack, original)
        return original()
    attempt.is_first = False
    # The trust is replaced by the second store(), once the first has won
    # the compare-and-swap and the stack can't be locked any more.
    postponed, stack.refresh_cred = stack.refresh_cred, False
    with protection_tag.insert_tag_with_update(stack, attempt.updated):
        stored = original()
    consume.mark_passing(stack)
    attempt.missed = stored is None
    stack.refresh_cred = postponed and not attempt.missed
    return stored


def _store_with_trust(stack, original):
    if consume.is_pending(stack.id):
        # Heat has loaded the stack for an update with its stored context
        # ([DEFAULT] reauthentication_auth_method): Stack.__init__ replaces
        # the trust then, before anything is validated.
        stack.heat_extras_awaits_trust = True
        return stack.id
    check.check_again(stack.context, stack.id,
                      request_context.get_operation() or operations.OTHER)
    stored = original()
    if getattr(stack, 'heat_extras_awaits_trust', False):
        stack.context = stack.stored_context()
    return stored


def persist(stack, original):
    """Do what Stack._persist_state does, and note what it came to.

    An operation is refused by a policy or a plugin before its first store(),
    and a lock may have kept the FAILED mark away. The caller is answered that
    it is accepted: the tag that it names is there then.

    :param original: Heat's own; takes nothing.
    """
    attempt = _first(stack)
    if attempt is None:
        return original()
    with protection_tag.insert_tag_with_update(stack, attempt.updated):
        persisted = original()
    attempt.missed = not persisted
    return persisted


def _first(stack):
    attempt = getattr(stack, 'heat_extras_attempt', None)
    return attempt if attempt is not None and attempt.is_first else None
