# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.stack`: load the lock with the stack."""

import functools

from heat.objects import stack_lock

from heat_extras.db import stack_columns
from heat_extras.heat_internals import signatures
from heat_extras import monkey_patch
from heat_extras.stack_lock import check
from heat_extras.stack_lock import convergence_cas
from heat_extras.stack_lock.delete_protection import protection
from heat_extras.stack_lock.delete_protection import protection_tag
from heat_extras.stack_lock.lock_pass import consume
from heat_extras.stack_lock.lock_pass import relock
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock import operations
from heat_extras.stack_lock import request_context


@monkey_patch.extends('heat.engine.stack:Stack')
class StackLockStackMixin:
    """Extends heat.engine.stack:Stack."""

    @monkey_patch.wrap(
        signatures.FROM_DB,
        why='a Stack has only the columns that its constructor takes')
    def _from_db(cls, original, context, stack, *args, **kwargs):
        loaded = original(context, stack, *args, **kwargs)
        columns = stack_columns.get_columns(stack)
        loaded.heat_extras_lock = lock_record.Lock.from_row(columns)
        loaded.heat_extras_delete_protection = (
            protection.Protection.from_row(columns))
        return loaded

    @monkey_patch.wrap(
        signatures.STORE, signatures.STORE_24,
        why='it replaces the trust before its compare-and-swap, '
            'and converge_stack ignores its result')
    def store(self, original, *args, **kwargs):
        return convergence_cas.store(self, functools.partial(original, *args,
                                                             **kwargs))

    @monkey_patch.wrap(
        signatures.CONVERGE_STACK,
        signatures.CONVERGE_STACK_24,
        why='Heat reports success for an operation that lost its '
            'compare-and-swap')
    def converge_stack(self, original, template, *args, **kwargs):
        return convergence_cas.converge_stack(self, original, template, args,
                                              kwargs)

    @monkey_patch.wrap('(self)', why='it sends the event and the notification '
                                     'before its compare-and-swap')
    def _persist_state(self, original):
        consume.mark_refused(self)
        with request_context.set_persisting():
            persisted = convergence_cas.persist_state(self, original)
        consume.mark_passing(self)
        return persisted

    @monkey_patch.wrap('(self)', why='an operation of the convergence engine '
                                     'calls this at its end')
    def purge_db(self, original):
        result = original()
        relock.relock_after(self)
        return result

    @monkey_patch.wrap(
        '(self, engine_id)',
        why='Heat 24 and 25 call it at the end of an export, and it writes '
            'an event')
    def persist_state_and_release_lock(self, original, engine_id):
        if not lock_record.lock_of(self).is_in_effect:
            # This is another thread than at the start, see
            # rpc_check.check_start.
            with request_context.set_operation_of_thread(self):
                return original(engine_id)
        stack_lock.StackLock.release(self.context, self.id, engine_id)

    @monkey_patch.wrap(
        '(self, newstack, msg_queue=None, notify=None)',
        why='Heat responds to a legacy update before it writes the tags')
    def update(self, original, newstack, *args, **kwargs):
        protection_tag.write_tag_early(self, newstack)
        return original(newstack, *args, **kwargs)

    @monkey_patch.wrap('(self, snapshot)', why='a restored stack has no tags')
    def restore_data(self, original, snapshot):
        restored, template = original(snapshot)
        protection_tag.keep_tag(self, restored)
        return restored, template

    @monkey_patch.wrap(
        '(self)', why='migrate_convergence_1 calls it for each stack, after '
                      'it has acquired their StackLocks')
    def migrate_to_convergence(self, original):
        check.check_again(self.context, self.id, operations.MIGRATE)
        return original()
