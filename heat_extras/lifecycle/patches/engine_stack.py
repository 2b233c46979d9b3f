# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.stack`: the start and end of operations."""

import functools

from heat_extras.db import charset
from heat_extras.heat_internals import final_status
from heat_extras.heat_internals import signatures
from heat_extras.lifecycle import convergence
from heat_extras.lifecycle import in_process_operations
from heat_extras.lifecycle import legacy_engine
from heat_extras.lifecycle import lock_callback
from heat_extras.lifecycle import pre_post
from heat_extras import monkey_patch

_REASON = ('the reason can contain messages of plugins, and if it cannot be '
           'stored, the thread of the operation ends')
_IN_THREAD = ('it calls plugins before the caller is notified that the '
              'operation is in the database, and an error after that would '
              'skip the post calls')


@monkey_patch.extends('heat.engine.stack:Stack')
class LifecycleStackMixin:
    """Extends heat.engine.stack:Stack."""

    @monkey_patch.wrap(signatures.CONVERGE_STACK,
                       signatures.CONVERGE_STACK_24,
                       why='every operation of the convergence engine starts '
                           'here, and Heat does not call plugins')
    def converge_stack(self, original, template, action='UPDATE',
                       new_stack=None, pre_converge=None, **options):
        options['pre_converge'] = pre_converge
        if not pre_post.has_plugins():
            return original(template, action=action, new_stack=new_stack,
                            **options)
        return convergence.start_operation(self, original, template, action,
                                           new_stack, options)

    @monkey_patch.wrap(signatures.CONVERGE_CREATE_OR_UPDATE,
                       signatures.CONVERGE_CREATE_OR_UPDATE_24,
                       why='the new traversal is in the database, but no '
                           'resource is triggered yet')
    def _converge_create_or_update(self, original, *args, **kwargs):
        if (in_process_operations.get_state(self).allowed is not None
                and not convergence.set_running(self)):
            return
        return original(*args, **kwargs)

    @monkey_patch.wrap(signatures.STORE, signatures.STORE_24,
                       why='converge_stack ignores its result, and the legacy '
                           'engine ends updates here')
    def store(self, original, *args, **kwargs):
        stored = (final_status.write_stack(self, original, *args, **kwargs)
                  if pre_post.is_final_state(self, self.status)
                  else original(*args, **kwargs))
        state = in_process_operations.get_state(self)
        if state.is_stored is None:
            state.is_stored = stored is not None
        return stored

    @monkey_patch.wrap('(self)', why='successful traversals end here, in any '
                                     'engine')
    def mark_complete(self, original):
        if not pre_post.has_plugins():
            return original()
        return convergence.mark_complete(self, original)

    @monkey_patch.wrap(
        '(self)', why='a cancel during the pre calls must not roll back an '
                      'operation that has not started')
    def rollback(self, original):
        if pre_post.has_plugins() and convergence.has_not_begun(self):
            convergence.fail_not_begun(self, self.action,
                                       f'Stack {self.action} cancelled')
            return
        return original()

    @monkey_patch.wrap(
        '(self, action, status, reason)',
        why='all other operations end here, before a rollback starts')
    def state_set(self, original, action, status, reason):
        if not pre_post.is_final_state(self, status):
            return original(action, status, reason)
        engine = (legacy_engine if legacy_engine.is_in_operation(self)
                  else convergence)
        write = functools.partial(final_status.write_status, original)
        return engine.write_final_state(self, write, action, status, reason)

    @monkey_patch.wrap('(self, engine_id)', why='it writes the final state '
                                                'when StackLock is released')
    def persist_state_and_release_lock(self, original, engine_id):
        if not pre_post.has_plugins():
            return original(engine_id)
        return final_status.write_stack(self, original, engine_id)

    @monkey_patch.wrap('(self, action, status, reason)', why=_REASON)
    def _add_event(self, original, action, status, reason):
        return original(action, status, charset.storable(reason))

    @monkey_patch.wrap("(self, action='DELETE', backup=False, abandon=False, "
                       "notify=None)",
                       why='Heat deletes snapshots and backups before it '
                           'calls plugins')
    def delete(self, original, action='DELETE', backup=False, abandon=False,
               notify=None):
        if backup or not pre_post.has_plugins():
            return original(action=action, backup=backup, abandon=abandon,
                            notify=notify)
        return legacy_engine.delete_stack(self, functools.partial(
            original, action=action, abandon=abandon, notify=notify),
            action, notify)

    @monkey_patch.wrap(
        '(self, no_resources=False)', '(self)',
        why='an abandon calls it last before it stops the operation in '
            'progress, and starts to delete the stack')
    def prepare_abandon(self, original, *args, **kwargs):
        data = original(*args, **kwargs)
        lock_callback.call_before_abandon(self)
        return data

    @monkey_patch.wrap(signatures.UPDATE_TASK, why=_IN_THREAD)
    def update_task(self, original, *args, **kwargs):
        return legacy_engine.run_task(self, original(*args, **kwargs),
                                      kwargs.get('notify'))

    @monkey_patch.wrap(
        '(self, action, reverse=False, post_func=None, '
        'aggregate_exceptions=False, pre_completion_func=None, '
        'notify=None)',
        why=_IN_THREAD)
    def stack_task(self, original, *args, **kwargs):
        return legacy_engine.run_task(self, original(*args, **kwargs),
                                      kwargs.get('notify'))

    @monkey_patch.wrap(
        '(self, reason)',
        why='it needs the previous template, which an update does not have '
            'if the engine died during the pre calls')
    def reset_stack_and_resources_in_progress(self, original, reason):
        legacy_engine.store_previous_template(self, self.action)
        return original(reason)

    @monkey_patch.wrap('(self, save_snapshot_func)',
                       why='it leaves the snapshot IN_PROGRESS if a plugin '
                           'denies it')
    def snapshot(self, original, save_snapshot_func):
        result = original(save_snapshot_func)
        if in_process_operations.get_state(self).is_denied:
            save_snapshot_func(self, self.SNAPSHOT, self.FAILED,
                               charset.storable_line(self.status_reason))
        return result
