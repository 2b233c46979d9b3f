# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.stack`: where operations begin and end."""

import functools

from heat_extras.db import charset
from heat_extras.heat_internals import final_status
from heat_extras.heat_internals import signatures
from heat_extras.lifecycle import convergence
from heat_extras.lifecycle import in_process_operations
from heat_extras.lifecycle import legacy_engine
from heat_extras.lifecycle import pre_post
from heat_extras import monkey_patch

_WORDS = ('what plugins say is part of it, and a text that is not stored ends '
          'the thread of the operation')
_IN_THREAD = ('plugins are called inside, before the caller is notified that '
              'the operation shows in the database, and an error between that '
              'and the final state would skip the post calls')


@monkey_patch.extends('heat.engine.stack:Stack')
class LifecycleStackMixin:
    """Extends heat.engine.stack:Stack."""

    @monkey_patch.wrap(signatures.CONVERGE_STACK,
                       signatures.CONVERGE_STACK_24,
                       why='every operation of the convergence engine begins '
                           'here, and Heat calls no plugin')
    def converge_stack(self, original, template, action='UPDATE',
                       new_stack=None, pre_converge=None, **options):
        options['pre_converge'] = pre_converge
        if not pre_post.has_plugins():
            return original(template, action=action, new_stack=new_stack,
                            **options)
        return convergence.start(self, original, template, action, new_stack,
                                 options)

    @monkey_patch.wrap(signatures.CONVERGE_CREATE_OR_UPDATE,
                       signatures.CONVERGE_CREATE_OR_UPDATE_24,
                       why='the new traversal is in the database, and nothing '
                           'is triggered yet')
    def _converge_create_or_update(self, original, *args, **kwargs):
        if (in_process_operations.state_of(self).allowed is not None
                and not convergence.set_running(self)):
            return
        return original(*args, **kwargs)

    @monkey_patch.wrap(signatures.STORE, signatures.STORE_24,
                       why='converge_stack drops its answer, and the legacy '
                           'engine ends updates here')
    def store(self, original, *args, **kwargs):
        stored = (final_status.keep(self, original, *args, **kwargs)
                  if pre_post.is_end(self, self.status)
                  else original(*args, **kwargs))
        state = in_process_operations.state_of(self)
        if state.is_stored is None:
            state.is_stored = stored is not None
        return stored

    @monkey_patch.wrap('(self)', why='a traversal that was good ends here, in '
                                     'whichever engine')
    def mark_complete(self, original):
        if not pre_post.has_plugins():
            return original()
        return convergence.complete(self, original)

    @monkey_patch.wrap(
        '(self)', why='a cancel while the plugins are asked must '
                      'not roll back what has not begun')
    def rollback(self, original):
        if pre_post.has_plugins() and convergence.has_not_begun(self):
            convergence.fail_not_begun(self, self.action,
                                       f'Stack {self.action} cancelled')
            return
        return original()

    @monkey_patch.wrap(
        '(self, action, status, reason)',
        why='every other end of an operation passes here, before '
            'a rollback begins')
    def state_set(self, original, action, status, reason):
        if not pre_post.is_end(self, status):
            return original(action, status, reason)
        engine = (legacy_engine if legacy_engine.has_begun(self)
                  else convergence)
        return engine.end(
            self, functools.partial(final_status.write, original), action,
            status, reason)

    @monkey_patch.wrap('(self, engine_id)', why='the same for what is stored '
                                                'when StackLock is released')
    def persist_state_and_release_lock(self, original, engine_id):
        if not pre_post.has_plugins():
            return original(engine_id)
        return final_status.keep(self, original, engine_id)

    @monkey_patch.wrap('(self, action, status, reason)', why=_WORDS)
    def _add_event(self, original, action, status, reason):
        return original(action, status, charset.storable(reason))

    @monkey_patch.wrap("(self, action='DELETE', backup=False, abandon=False, "
                       "notify=None)",
                       why='Heat deletes snapshots and backups before it asks '
                           'its plugins')
    def delete(self, original, action='DELETE', backup=False, abandon=False,
               notify=None):
        if backup or not pre_post.has_plugins():
            return original(action=action, backup=backup, abandon=abandon,
                            notify=notify)
        return legacy_engine.delete(self, functools.partial(
            original, action=action, abandon=abandon, notify=notify),
            action, notify)

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
        why='it loads the template of an update that has begun, '
            'and fails for one whose plugins were asked when the '
            'engine died')
    def reset_stack_and_resources_in_progress(self, original, reason):
        legacy_engine.keep_template(self, self.action)
        return original(reason)

    @monkey_patch.wrap('(self, save_snapshot_func)',
                       why='it leaves the snapshot IN_PROGRESS when a plugin '
                           'denies it')
    def snapshot(self, original, save_snapshot_func):
        result = original(save_snapshot_func)
        if in_process_operations.state_of(self).is_denied:
            save_snapshot_func(self, self.SNAPSHOT, self.FAILED,
                               charset.line(self.status_reason))
        return result
