# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.stack`: the lock travels with the stack."""

import contextlib

from heat.db import api as db_api
from heat.objects import raw_template
from heat.objects import stack_lock

from heat_extras.db import mapping
from heat_extras.host import signatures
from heat_extras import patching
from heat_extras.stack_lock import deletion
from heat_extras.stack_lock import locks
from heat_extras.stack_lock import refusal
from heat_extras.stack_lock import under_way


@contextlib.contextmanager
def _as_begun(stack):
    # Not in the thread that began: what it was is noted at the stack.
    exported = getattr(stack, 'heat_extras_is_exported', False)
    with under_way.guarded(under_way.EXPORT if exported
                           else under_way.current()):
        yield


class _Attempt:
    """What happens to the first store() of a converge_stack()."""

    missed = False
    is_first = True


@patching.extends('heat.engine.stack:Stack')
class StackLockStackMixin:
    """Extends heat.engine.stack:Stack."""

    @patching.wrap(
        '(cls, context, stack, use_stored_context=False, cache_data=None, '
        'load_template=True, refresh_cred=False)',
        why='a Stack keeps only the columns that its constructor takes')
    def _from_db(cls, original, context, stack, *args, **kwargs):
        loaded = original(context, stack, *args, **kwargs)
        loaded.heat_extras_lock = locks.Lock.from_row(
            mapping.columns(stack))
        return loaded

    @patching.wrap(signatures.STORE, signatures.STORE_24,
                   why='it replaces the trust before its compare-and-swap, '
                       'and converge_stack drops its answer')
    def store(self, original, *args, **kwargs):
        attempt = getattr(self, 'heat_extras_attempt', None)
        if attempt is None or not attempt.is_first:
            if getattr(self, 'refresh_cred', False) and self.id is not None:
                refusal.check_again(self.context, self.id,
                                    under_way.current() or 'store')
            return original(*args, **kwargs)
        attempt.is_first = False
        # The trust is replaced by the second store(), once the first has
        # won the compare-and-swap and the stack can't be locked any more.
        postponed, self.refresh_cred = self.refresh_cred, False
        stored = original(*args, **kwargs)
        attempt.missed = stored is None
        self.refresh_cred = postponed and not attempt.missed
        return stored

    @patching.wrap(signatures.CONVERGE_STACK,
                   signatures.CONVERGE_STACK_24,
                   why='Heat answers success to an operation that lost its '
                       'compare-and-swap')
    def converge_stack(self, original, template, *args, **kwargs):
        current = under_way.current()
        if current is None or self.id is None:
            # A worker or a rollback: nobody is there to read a refusal.
            return original(template, *args, **kwargs)
        if not deletion.is_wanted(self, current):
            return _attempt(self, original, current, template, args, kwargs)
        with deletion.lifting(self):
            return _attempt(self, original, current, template, args, kwargs)

    @patching.wrap('(self)', why='it sends the event and the notification '
                                 'before its compare-and-swap')
    def _persist_state(self, original):
        with under_way.persisting():
            persisted = original()
        attempt = getattr(self, 'heat_extras_attempt', None)
        if attempt is not None and attempt.is_first:
            # It was refused by a policy or a plugin before its first
            # store(), and a lock may have kept the FAILED mark away.
            attempt.missed = not persisted
        return persisted

    @patching.wrap('(self, engine_id)',
                   why='Heat 24 and 25 end an export with it, and it writes '
                       'an event')
    def persist_state_and_release_lock(self, original, engine_id):
        if not locks.of(self).is_locked:
            with _as_begun(self):
                return original(engine_id)
        stack_lock.StackLock.release(self.context, self.id, engine_id)

    @patching.wrap('(self)', why='the one way of migrate_convergence_1 to '
                                 'the stacks, after it has their StackLocks')
    def migrate_to_convergence(self, original):
        refusal.check_again(self.context, self.id, 'migrate')
        return original()


def _attempt(stack, original, current, template, args, kwargs):
    attempt = stack.heat_extras_attempt = _Attempt()
    was_stored = template.id is not None
    try:
        result = original(template, *args, **kwargs)
    finally:
        stack.heat_extras_attempt = None
    if attempt.missed:
        # Outside of reset_state_on_error, which would leave a FAILED mark
        # and an event behind.
        _forget(stack, template, was_stored, kwargs.get('new_traversal_id'))
        refusal.check_again(stack.context, stack.id, current)
    return result


def _forget(stack, template, template_was_stored, snapshot_id):
    # What a lost operation stored before its compare-and-swap.
    if snapshot_id is not None:
        refusal.delete_snapshot(stack.context, snapshot_id)
    if not template_was_stored and template.id is not None:
        db_api.retry_on_db_error(raw_template.RawTemplate.delete)(
            stack.context, template.id)
