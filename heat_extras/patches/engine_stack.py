# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.stack`: the steps of an operation."""

import functools

from heat_extras.db import charset
from heat_extras import gate
from heat_extras import guard
from heat_extras.heat_internals import final_status
from heat_extras.heat_internals import last_applied
from heat_extras.heat_internals import object_data
from heat_extras.lifecycle import convergence
from heat_extras.lifecycle import legacy_engine
from heat_extras.lifecycle import lock_callback
from heat_extras.lifecycle import pre_post
from heat_extras import monkey_patch
from heat_extras.stack_lock import check
from heat_extras.stack_lock.delete_protection import protection_tag
from heat_extras.stack_lock import operation_start
from heat_extras.stack_lock import operations
from heat_extras.stack_lock import pass_use
from heat_extras.stack_lock import write_criteria
from heat_extras.update_policy import allow

_IN_THREAD = ('it calls plugins before the caller is notified that the '
              'operation is in the database, and an error after that would '
              'skip the post calls')


@monkey_patch.extends('heat.engine.stack:Stack')
class StackMixin:

    # The row of the stack.

    @monkey_patch.wrap(
        '(cls, context, stack, use_stored_context=False, cache_data=None, '
        'load_template=True, refresh_cred=False)',
        why='a Stack has only the columns that its constructor accepts')
    def _from_db(cls, original, context, stack, *args, **kwargs):
        loaded = original(context, stack, *args, **kwargs)
        for ask in gate.asked_at('load_stack'):
            ask(loaded, stack)
        return loaded

    @monkey_patch.wrap(
        '(self, keep_status=False, only_db=False, keep_tags=False)',
        why='store() writes these values to the row of the stack')
    def get_kwargs_for_cloning(self, original, keep_status=False,
                               only_db=False, keep_tags=False):
        values = original(keep_status, only_db, keep_tags)
        if only_db:
            for ask in gate.asked_at('stored_columns'):
                values.update(ask(self))
        return values

    @monkey_patch.wrap(
        '(self, backup=False, exp_trvsl=None, ignore_traversal_check=False, '
        'use_stored_context=False)',
        '(self, backup=False, exp_trvsl=None, ignore_traversal_check=False)',
        why='it replaces the trust before its compare-and-swap, '
            'converge_stack ignores its result, and the legacy engine ends '
            'updates here')
    def store(self, original, *args, **kwargs):
        return gate.ask('store', functools.partial(original, *args, **kwargs),
                        self)

    # The start of an operation.

    @monkey_patch.wrap(
        '(self, ignorable_errors=None, validate_res_tmpl_only=False)',
        why='Heat does not validate external resources, and it validates '
            'only one of several equal definitions',
        feature='template_syntax')
    def validate(self, original, *args, **kwargs):
        with allow.set_outermost_stack(self):
            with allow.add_hints(self):
                result = original(*args, **kwargs)
            allow.check_allow(self)
        return result

    @monkey_patch.wrap(
        "(self, template, action='UPDATE', new_stack=None, "
        'pre_converge=None, new_traversal_id=None, abandon=False)',
        "(self, template, action='UPDATE', new_stack=None, "
        'pre_converge=None)',
        why='every operation of the convergence engine starts here. Heat '
            'calls no plugins, and reports success for an operation that '
            'lost its compare-and-swap')
    def converge_stack(self, original, template, action='UPDATE',
                       new_stack=None, pre_converge=None, **options):
        start = guard.Start(original, template, action, new_stack,
                            {'pre_converge': pre_converge, **options})
        return gate.ask('start_convergence', start.converge, self, start)

    @monkey_patch.wrap('(self, pre_converge=None, abandon=False)',
                       '(self, pre_converge=None)',
                       why='the new traversal is in the database, but no '
                           'resource is triggered yet')
    def _converge_create_or_update(self, original, *args, **kwargs):
        # An operation that another one has superseded does not begin.
        if convergence.may_begin(self):
            for ask in gate.asked_at('begin_traversal'):
                ask(self)
            return original(*args, **kwargs)

    @monkey_patch.wrap(
        '(self, newstack, msg_queue=None, notify=None)',
        why='Heat responds to a legacy update before it writes the tags',
        feature='stack_lock')
    def update(self, original, newstack, *args, **kwargs):
        protection_tag.write_tag_early(self, newstack)
        return original(newstack, *args, **kwargs)

    @monkey_patch.wrap(
        "(self, newstack, action='UPDATE', msg_queue=None, notify=None)",
        why='the legacy engine has locked the stack here, and its caller '
            'still waits. ' + _IN_THREAD.capitalize())
    def update_task(self, original, newstack, action='UPDATE',
                    msg_queue=None, notify=None):
        start = guard.Start(original, newstack.t, action, newstack,
                            {'msg_queue': msg_queue, 'notify': notify})
        return gate.ask('run_legacy_update', start.update, self, start)

    @monkey_patch.wrap(
        '(self, action, reverse=False, post_func=None, '
        'aggregate_exceptions=False, pre_completion_func=None, '
        'notify=None)', why=_IN_THREAD, feature='lifecycle')
    def stack_task(self, original, *args, **kwargs):
        return legacy_engine.run_task(self, original(*args, **kwargs),
                                      kwargs.get('notify'))

    @monkey_patch.wrap(
        "(self, action='DELETE', backup=False, abandon=False, notify=None)",
        why='Heat deletes snapshots and backups before it calls plugins',
        feature='lifecycle')
    def delete(self, original, action='DELETE', backup=False, abandon=False,
               notify=None):
        return legacy_engine.delete_stack(self, functools.partial(
            original, action=action, backup=backup, abandon=abandon,
            notify=notify), action, backup, notify)

    @monkey_patch.wrap(
        '(self, no_resources=False)', '(self)',
        why='an abandon calls it last before it stops the operation in '
            'progress, and starts to delete the stack', feature='lifecycle')
    def prepare_abandon(self, original, *args, **kwargs):
        data = original(*args, **kwargs)
        lock_callback.call_before_abandon(self)
        return data

    @monkey_patch.wrap('(self, snapshot)',
                       why='a restored stack has no tags. With convergence, '
                           'this is the last step before the restored '
                           'template becomes the current one')
    def restore_data(self, original, snapshot):
        return gate.ask('restore', functools.partial(original, snapshot),
                        self)

    @monkey_patch.wrap('(self)', why='the traversal of a rollback is not the '
                                     'traversal of the undone update, and a '
                                     'cancel must not roll back an operation '
                                     'that has not started')
    def rollback(self, original):
        return gate.ask('roll_back', original, self)

    @monkey_patch.wrap(
        '(self)', why='migrate_convergence_1 calls it for each stack, after '
                      'it has acquired their StackLocks',
        feature='stack_lock')
    def migrate_to_convergence(self, original):
        check.check_again(self.context, self.id, operations.MIGRATE)
        return original()

    # The end of an operation.

    @monkey_patch.wrap('(self)', why='it sends the event and the notification '
                                     'before its compare-and-swap',
                       feature='stack_lock')
    def _persist_state(self, original):
        pass_use.mark_refused(self)
        with write_criteria.changed(is_persisting=True):
            persisted = operation_start.persist_state(self, original)
        pass_use.mark_passing(self)
        return persisted

    @monkey_patch.wrap(
        '(self, action, status, reason)',
        why='all operations end here, before a rollback starts',
        feature='lifecycle')
    def state_set(self, original, action, status, reason):
        if not pre_post.is_final_state(self, status):
            return original(action, status, reason)
        engine = (legacy_engine if legacy_engine.is_in_operation(self)
                  else convergence)
        write = functools.partial(final_status.write_status, original)
        return engine.write_final_state(self, write, action, status, reason)

    @monkey_patch.wrap('(self, action, status, reason)',
                       why='the reason can contain messages of plugins, and '
                           'if it cannot be stored, the thread of the '
                           'operation ends', feature='lifecycle')
    def _add_event(self, original, action, status, reason):
        return original(action, status, charset.storable(reason))

    @monkey_patch.wrap('(self)', why='successful traversals end here, in any '
                                     'engine', feature='lifecycle')
    def mark_complete(self, original):
        return convergence.mark_complete(self, original)

    @monkey_patch.wrap(
        '(self, engine_id)',
        why='it writes the final state when StackLock is released. Heat 24 '
            'and 25 call it at the end of an export, and it writes an event')
    def persist_state_and_release_lock(self, original, engine_id):
        return gate.ask('release_stack_lock', functools.partial(
            original, engine_id), self, engine_id)

    @monkey_patch.wrap('(self)', why='an operation of the convergence engine '
                                     'calls this at its end. A check deletes '
                                     'the template of the resources that a '
                                     'failed update left')
    def purge_db(self, original):
        last_applied.keep_template(self)
        return gate.ask('end_traversal', original, self)

    @monkey_patch.wrap('(self, save_snapshot_func)',
                       why='it leaves the snapshot IN_PROGRESS if a plugin '
                           'denies it', feature='lifecycle')
    def snapshot(self, original, save_snapshot_func):
        result = original(save_snapshot_func)
        if object_data.of_stack(self).lifecycle.is_denied:
            save_snapshot_func(self, self.SNAPSHOT, self.FAILED,
                               charset.storable_line(self.status_reason))
        return result

    @monkey_patch.wrap(
        '(self, existing_params, new_template, bkp_stack_template)',
        why='the legacy engine forgets the resources whose conditions are '
            'false in the template and with the parameters of a failed update')
    def _merge_user_param_template(self, original, *args):
        last_applied.keep_definitions(self, functools.partial(original, *args))

    @monkey_patch.wrap(
        '(self, reason)',
        why='it needs the previous template, which an update does not have '
            'if the engine died during the pre calls', feature='lifecycle')
    def reset_stack_and_resources_in_progress(self, original, reason):
        legacy_engine.store_previous_template(self, self.action)
        return original(reason)
