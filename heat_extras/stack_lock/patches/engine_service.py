# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.service`: lock, unlock, and early refusals."""

import functools

from heat.common import context as heat_context
from oslo_context import context as oslo_context

from heat_extras import exception
from heat_extras.heat_internals import signatures
from heat_extras.heat_internals import thread_cleanup
from heat_extras import monkey_patch
from heat_extras.stack_lock import auto_unlock
from heat_extras.stack_lock import check
from heat_extras.stack_lock import dead_engines
from heat_extras.stack_lock.delete_protection import delete_intent
from heat_extras.stack_lock.delete_protection import service as delete_service
from heat_extras.stack_lock.delete_protection import tag as delete_tag
from heat_extras.stack_lock import deletion
from heat_extras.stack_lock.lock_list import list_query
from heat_extras.stack_lock.lock_pass import grant
from heat_extras.stack_lock.lock_pass import relock
from heat_extras.stack_lock import operations
from heat_extras.stack_lock import request_context
from heat_extras.stack_lock import resource_fields
from heat_extras.stack_lock import rpc_check
from heat_extras.stack_lock import service
from heat_extras.stack_lock import stack_fields
from heat_extras.stack_lock import states

_RPC = ('an RPC method of the engine: Heat has no hook before it loads and '
        'changes the stack')
_ANSWER = 'the answer of an RPC method of the engine'
_IDENTITY = '(self, cnxt, stack_identity)'


@monkey_patch.extends('heat.engine.service:EngineService')
class StackLockServiceMixin:
    """Extends heat.engine.service:EngineService.

    Each wrapper only says which operation begins; the check is made on the
    row that Heat then loads through ``_get_stack``, without a statement of
    its own. It makes the refusal quick and friendly; what makes it sound is
    in :mod:`heat_extras.stack_lock.lock_transaction`.
    """

    @monkey_patch.add(why='the API asks the engine by RPC method')
    @heat_context.request_context
    def stack_lock(self, cnxt, stack_identity, named=None, dry_run=False,
                   expected=None, replace=False):
        """Lock a root stack and everything nested in it.

        A lock that is there keeps what the request does not name.

        :param named: a dict with any of ``level`` (``stacks`` or ``all``),
            ``reason`` (at most 255 characters, or None) and ``expires_at``
            (when an engine unlocks the stack, like ``2026-12-24T18:00:00Z``,
            or None).
        :param dry_run: change nothing, and tell what would be protected.
        :param expected: a dict with the ``id`` of the lock that is to be in
            force, in which None stands for no lock.
        :param replace: whether all of a lock is replaced, also if another
            user has set it.
        :returns: what the API answers.
        :raises StackLockInvalid: for a nested stack or a bad request.
        :raises StackLockConflict: when something in the tree is running.
        :raises StackLockForbidden: when the lock has a higher rank.
        """
        with exception.hide_internal_errors('lock', is_own=True):
            return service.lock(self, cnxt, stack_identity, named or {},
                                dry_run, expected, replace)

    @monkey_patch.add(why='the API asks the engine by RPC method')
    @heat_context.request_context
    def stack_unlock(self, cnxt, stack_identity, expected=None,
                     ignore_failures=False):
        """Lift the lock of a root stack and of everything nested in it.

        :param expected: a dict with the ``id`` of the one that is meant.
        :param ignore_failures: whether to unlock the stack also when
            resources cannot be released.
        :raises StackLockInvalid: for a nested stack.
        :raises StackLockConflict: when the stack is not locked.
        :raises StackLockForbidden: when the lock has a higher rank.
        """
        with exception.hide_internal_errors('unlock', is_own=True):
            service.unlock(self, cnxt, stack_identity, expected,
                           ignore_failures)

    @monkey_patch.add(why='the API asks the engine by RPC method')
    @heat_context.request_context
    def stack_extend_lock(self, cnxt, stack_identity, expires_at,
                          expected=None):
        """Give the lock of a root stack another end.

        :param expires_at: like ``2026-12-24T18:00:00Z``; None: no end.
        :param expected: as that of :meth:`stack_unlock`.
        :raises StackLockInvalid: for a nested stack or a bad end.
        :raises StackLockConflict: when the stack is not locked.
        :raises StackLockForbidden: when the lock has a higher rank.
        """
        with exception.hide_internal_errors('extend_lock', is_own=True):
            service.extend_lock(self, cnxt, stack_identity, expires_at,
                                expected)

    @monkey_patch.add(why='the API asks the engine by RPC method')
    @heat_context.request_context
    def stack_lock_pass(self, cnxt, stack_identity, user=None,
                        expires_at=None, reason=None):
        """Let one update of one user through the lock of a root stack.

        :param user: a dict with ``id``, or with ``name`` and ``domain``; None
            revokes the pass.
        :param expires_at: like ``2026-12-24T18:00:00Z``, at most a day ahead.
        :param reason: at most 255 characters, or None.
        :raises StackLockInvalid: for a nested stack or a bad request.
        :raises StackLockConflict: when the stack is not locked, or not with
            level stacks, or there is a pass already.
        :raises StackLockForbidden: when the lock has a higher rank.
        """
        with exception.hide_internal_errors('lock_pass', is_own=True):
            grant.grant_or_revoke(self, cnxt, stack_identity, user,
                                  expires_at, reason)

    @monkey_patch.add(why='the API asks the engine by RPC method')
    @heat_context.request_context
    def list_stack_locks(self, cnxt, limit, marker=None, level=None,
                         all_projects=False, expires_before=None):
        """List the locks of a project, or of all, by their id.

        :param marker: the id of a lock: only those after it.
        :param expires_before: a moment: only those that end before it.
        :returns: a dict with the ``locks``, as the API answers them, and the
            ``marker`` of those that follow, or None.
        """
        with exception.hide_internal_errors('list of locks', is_own=True):
            return list_query.list_locks(cnxt, limit, marker, level,
                                         all_projects, expires_before)

    @monkey_patch.add(why='the API asks the engine by RPC method')
    @heat_context.request_context
    def stack_protect(self, cnxt, stack_identity, reason=None):
        """Protect a root stack and everything nested in it from deletion.

        :param reason: at most 255 characters, or None.
        :raises StackLockInvalid: for a nested stack or a bad reason.
        :raises StackLockConflict: while something of it is being deleted.
        :raises StackLockForbidden: when an administrator has set it.
        """
        with exception.hide_internal_errors('protect', is_own=True):
            delete_service.protect(self, cnxt, stack_identity, reason)

    @monkey_patch.add(why='the API asks the engine by RPC method')
    @heat_context.request_context
    def stack_unprotect(self, cnxt, stack_identity):
        """Lift the protection of a root stack from deletion.

        :raises StackLockInvalid: for a nested stack.
        :raises StackLockConflict: when there is none.
        :raises StackLockForbidden: when an administrator has set it.
        """
        with exception.hide_internal_errors('unprotect', is_own=True):
            delete_service.unprotect(self, cnxt, stack_identity)

    @monkey_patch.wrap(signatures.GET_STACK,
                       why='the one place where every RPC method gets the row')
    def _get_stack(self, original, cnxt, stack_identity, show_deleted=False):
        stack = original(cnxt, stack_identity, show_deleted=show_deleted)
        rpc_check.check_row(cnxt, stack)
        return stack

    @monkey_patch.wrap(signatures.UPDATE_STACK, why=_RPC)
    def update_stack(self, original, cnxt, *args, **kwargs):
        with (rpc_check.rpc_operation(operations.UPDATE, cnxt),
              rpc_check.with_pass(cnxt)):
            return original(cnxt, *args, **kwargs)

    @monkey_patch.wrap(
        signatures.PREPARE_STACK_UPDATES,
        why='the one place that has both stacks before Heat drops '
            'tags that the request does not name')
    def _prepare_stack_updates(self, original, cnxt, current_stack, template,
                               params, environment_files, files,
                               files_container, args, *rest, **kwargs):
        template, current, updated = original(
            cnxt, current_stack, template, params, environment_files, files,
            files_container, args, *rest, **kwargs)
        delete_tag.keep_tag(current, updated, args)
        return template, current, updated

    @monkey_patch.wrap(_IDENTITY, why=_RPC)
    def delete_stack(self, original, cnxt, stack_identity):
        with (rpc_check.rpc_operation(states.DELETE, cnxt),
              deletion.deleting_service(self),
              delete_intent.delete_context(self.engine_id)):
            return original(cnxt, stack_identity)

    @monkey_patch.wrap(signatures.ABANDON_STACK, why=_RPC)
    def abandon_stack(self, original, cnxt, stack_identity, abandon=True):
        # export_stack calls this with abandon=False, and only reads.
        with (rpc_check.rpc_operation(
                operations.ABANDON if abandon else operations.EXPORT, cnxt),
              delete_intent.delete_context(self.engine_id)):
            return original(cnxt, stack_identity, abandon=abandon)

    @monkey_patch.wrap(_IDENTITY, why=_RPC)
    def stack_suspend(self, original, cnxt, stack_identity):
        with rpc_check.rpc_operation(operations.SUSPEND, cnxt):
            return original(cnxt, stack_identity)

    @monkey_patch.wrap(_IDENTITY, why=_RPC)
    def stack_resume(self, original, cnxt, stack_identity):
        with rpc_check.rpc_operation(operations.RESUME, cnxt):
            return original(cnxt, stack_identity)

    @monkey_patch.wrap(_IDENTITY, why=_RPC)
    def stack_check(self, original, cnxt, stack_identity):
        with rpc_check.rpc_operation(operations.CHECK, cnxt):
            return original(cnxt, stack_identity)

    @monkey_patch.wrap('(self, cnxt, stack_identity, name)', why=_RPC)
    def stack_snapshot(self, original, cnxt, stack_identity, name):
        with rpc_check.rpc_operation(operations.SNAPSHOT, cnxt):
            return original(cnxt, stack_identity, name)

    @monkey_patch.wrap('(self, cnxt, stack_identity, snapshot_id)', why=_RPC)
    def delete_snapshot(self, original, cnxt, stack_identity, snapshot_id):
        with rpc_check.rpc_operation(operations.SNAPSHOT_DELETE, cnxt):
            return original(cnxt, stack_identity, snapshot_id)

    @monkey_patch.wrap(signatures.STACK_RESTORE, why=_RPC)
    def stack_restore(self, original, cnxt, stack_identity, snapshot_id):
        with rpc_check.rpc_operation(operations.RESTORE, cnxt):
            return original(cnxt, stack_identity, snapshot_id)

    @monkey_patch.wrap(
        '(self, cnxt, stack_identity, cancel_with_rollback=True)', why=_RPC)
    def stack_cancel_update(self, original, cnxt, stack_identity,
                            cancel_with_rollback=True):
        with rpc_check.rpc_operation(operations.CANCEL, cnxt):
            return original(cnxt, stack_identity,
                            cancel_with_rollback=cancel_with_rollback)

    @monkey_patch.wrap(signatures.MARK_UNHEALTHY, why=_RPC)
    def resource_mark_unhealthy(self, original, cnxt, stack_identity, *args,
                                **kwargs):
        with rpc_check.rpc_operation(operations.MARK_UNHEALTHY, cnxt):
            return rpc_check.check_mark(
                functools.partial(original, cnxt, stack_identity, *args,
                                  **kwargs),
                cnxt, stack_identity['stack_id'])

    @monkey_patch.wrap(signatures.RESOURCE_SIGNAL, why=_RPC)
    def resource_signal(self, original, cnxt, *args, **kwargs):
        with rpc_check.rpc_operation(operations.SIGNAL, cnxt):
            return original(cnxt, *args, **kwargs)

    @monkey_patch.wrap(signatures.SHOW_STACK, why=_ANSWER)
    def show_stack(self, original, *args, **kwargs):
        return stack_fields.add_fields_to_show(args[0], original(*args,
                                                                 **kwargs))

    @monkey_patch.wrap(signatures.LIST_STACKS, why=_ANSWER)
    def list_stacks(self, original, *args, **kwargs):
        return stack_fields.add_fields_to_list(args[0], original(*args,
                                                                 **kwargs))

    @monkey_patch.wrap(
        '(self, cnxt, stack_identity, resource_name, with_attr=None)',
        why=_ANSWER)
    def describe_stack_resource(self, original, *args, **kwargs):
        info, = resource_fields.fill_fields(args[0], [original(*args,
                                                               **kwargs)])
        return info

    @monkey_patch.wrap(
        '(self, cnxt, stack_identity, nested_depth=0, with_detail=False, '
        'filters=None)', why=_ANSWER)
    def list_stack_resources(self, original, *args, **kwargs):
        return resource_fields.fill_fields(args[0], original(*args, **kwargs))

    @monkey_patch.wrap('(self, ctxt, stack_id)', why=_RPC)
    def migrate_convergence_1(self, original, ctxt, stack_id):
        with rpc_check.rpc_operation(operations.MIGRATE, ctxt):
            check.check_again(ctxt, stack_id,
                              request_context.get_operation())
            return original(ctxt, stack_id)

    @monkey_patch.wrap('(self)', why='the one thing that an engine does '
                                     'regularly, whatever it works on')
    def service_manage_report(self, original):
        result = original()
        dead_engines.fail_lost(self)
        relock.relock_due()
        grant.expire_unused()
        auto_unlock.unlock_due(self)
        return result


@monkey_patch.extends('heat.engine.service:ThreadGroupManager')
class StackLockThreadGroupManagerMixin:
    """Extends heat.engine.service:ThreadGroupManager."""

    @monkey_patch.wrap(
        '(self, stack_id, func, *args, **kwargs)',
        why='the last moment before Heat 24 and 25 delete a '
            'snapshot, which they neither record nor do under '
            'StackLock; and it keeps all threads that have ended, '
            'until a stack can have no more')
    def start(self, original, stack_id, func, *args, **kwargs):
        thread_cleanup.forget_ended(self, stack_id)
        current = request_context.get_operation()
        if current == operations.SNAPSHOT_DELETE:
            context = oslo_context.get_current()
            check.check_again(context, stack_id, current)
        return delete_intent.start_thread(original, stack_id, func, *args,
                                          **kwargs)

    @monkey_patch.wrap('(self, stack, lock, func, *args, **kwargs)',
                       why='between taking StackLock and starting the thread: '
                           'from then on a lock waits for the operation')
    def start_with_acquired_lock(self, original, stack, *args, **kwargs):
        rpc_check.check_start(stack)
        return relock.relock_after_thread(original(stack, *args, **kwargs),
                                          stack)
