# SPDX-License-Identifier: Apache-2.0

"""Operations on the convergence engine: started here, ended by any engine.

When the caller gets an answer, the stack is IN_PROGRESS under a traversal of
its own. The pre calls are made in a thread of the stack. Heat continues and
stores the new template only if all plugins allow the operation.
"""

import contextlib
import dataclasses
import functools

from heat.common import exception
from heat.engine import sync_point
from heat.objects import stack as stack_object
from oslo_log import log as logging
from oslo_utils import timeutils
from oslo_utils import uuidutils

from heat_extras.db import charset
from heat_extras.heat_internals import final_status
from heat_extras.lifecycle import in_process_operations
from heat_extras.lifecycle import operation_table
from heat_extras.lifecycle import pre_post
from heat_extras.lifecycle import runner

LOG = logging.getLogger(__name__)


def start(stack, original, template, action, new_stack, options):
    """Do what Stack.converge_stack does, if the plugins allow it.

    :param original: Heat's Stack.converge_stack, bound.
    :param options: its further arguments.
    """
    previous = stack.current_traversal
    shown = {'action': stack.action, 'status': stack.status,
             'state': stack.state, 'status_reason': stack.status_reason}
    asked = in_process_operations.state_of(stack).take('asked')
    operation = _mark_in_progress(
        stack, action, options.get('new_traversal_id'), asked)
    if operation is None:
        return
    go_on = functools.partial(original, template, action=action,
                              new_stack=new_stack, **options)
    ask = None if asked is not None else functools.partial(
        _ask, stack, operation, shown,
        functools.partial(_planned, stack, template, action, new_stack))
    with _stopping(stack, operation):
        sync_point.delete_all(stack.context, stack.id, previous)
        stack.thread_group_mgr.start(stack.id, _run, stack, operation,
                                     previous, ask, go_on)


def _mark_in_progress(stack, action, traversal, asked):
    # As Stack.converge_stack does, but with the template as it is. The row
    # is written first: an engine that finds the stack under this traversal
    # finds that its plugins are still asked, see has_not_begun().
    previous = stack.current_traversal
    traversal = traversal or uuidutils.generate_uuid()
    operation = _create_operation(stack, action, traversal, asked)
    has_failed = stack.status == stack.FAILED
    if action != stack.CREATE:
        stack.updated_time = timeutils.utcnow()
    stack.action, stack.status = action, stack.IN_PROGRESS
    stack.status_reason = f'Stack {action} started'
    stack.current_traversal = traversal
    with _stopping(stack, operation):
        if has_failed and previous:
            previous = _clear_failed_traversal(stack, operation, previous)
        if stack.store(exp_trvsl=previous) is not None:
            return operation
    with pre_post.always_delete_row(stack, operation):
        if asked is not None:
            pre_post.abort(stack, operation)
    LOG.warning('Stack %(name)s (%(id)s) was changed meanwhile; its '
                '%(action)s is not started',
                {'name': stack.name, 'id': stack.id, 'action': action})
    return None


def _clear_failed_traversal(stack, operation, traversal):
    """Clear the traversal of a FAILED stack, if it is still there.

    Heat shows a stack as FAILED before Stack.purge_db does that: who updates
    it in between would find it changed, after an answer that all is well. On
    a locked stack, both of them change nothing.

    :returns: the traversal that the stack has now.
    """
    if stack_object.Stack.select_and_update(
            stack.context, stack.id, {'current_traversal': ''},
            exp_trvsl=traversal):
        return ''
    row = _row(stack, operation)
    return (traversal if row is not None
            and row.current_traversal == traversal else '')


def _create_operation(stack, action, traversal, asked):
    if asked is None:
        return pre_post.create_operation(stack, action, traversal)
    with _stopping(stack, asked):
        operation_table.change(stack.context, asked.id, traversal=traversal)
    return dataclasses.replace(asked, traversal=traversal)


@contextlib.contextmanager
def _stopping(stack, operation):
    # Whatever is raised inside, the end of this thread too: those who let
    # the operation pass are told, the stack is FAILED, the row is gone.
    try:
        yield
    except BaseException as error:
        with pre_post.always_delete_row(stack, operation):
            pre_post.abort(stack, operation)
            _fail(stack, operation, error)
        raise


def _row(stack, operation):
    return stack_object.Stack.get_by_id(stack.context, operation.stack_id,
                                        eager_load=False)


def _fail(stack, operation, error):
    # As the stack is in the database: Stack.converge_stack puts the new
    # template and traversal on its object before it stores them.
    row = _row(stack, operation)
    if row is None or row.status != stack.IN_PROGRESS:
        return
    current = type(stack).load(stack.context, stack=row)
    current.thread_group_mgr = stack.thread_group_mgr
    # Of an error its class alone, as its text may be a secret.
    reason = f'Stack {operation.action} could not begin: ' + (
        type(error).__name__ if isinstance(error, Exception)
        else 'its thread was ended')
    if row.current_traversal == operation.traversal:
        fail_not_begun(current, operation.action, reason)
    elif row.current_traversal == stack.current_traversal:
        # The new template is stored already.
        current.mark_failed(reason)


def _planned(stack, template, action, new_stack):
    # Heat's legacy engine shows plugins the stack that a rollback of an
    # update leads to (Stack.update_task), too.
    if new_stack is not None or action != stack.ROLLBACK or not list(
            template.resource_definitions(stack)):
        return new_stack
    planned = type(stack)(stack.context, stack.name, template,
                          disable_rollback=stack.disable_rollback,
                          timeout_mins=stack.timeout_mins)
    planned.parameters.set_stack_id(stack.identifier())
    return planned


def _run(stack, operation, previous, ask, go_on):
    end_superseded(stack, previous)
    with _stopping(stack, operation):
        if ask is not None:
            operation = ask()
    if operation is not None:
        with _stopping(stack, operation):
            _continue(stack, operation, go_on)


def _ask(stack, operation, shown, planned):
    try:
        return pre_post.run_pre_calls(stack, operation, planned(), shown)
    except runner.Refused as refusal:
        with pre_post.always_delete_row(stack, operation):
            fail_not_begun(stack, operation.action, str(refusal))
        return None


def _continue(stack, operation, go_on):
    known = in_process_operations.state_of(stack)
    known.allowed, known.is_stored = operation, None
    try:
        go_on()
    except exception.NotFound:
        # Deleted while the plugins were asked (db.api.stack_update)?
        if _row(stack, operation) is not None:
            raise
        known.is_stored = False
    if known.is_stored is False:
        # A newer operation took the stack meanwhile, or it is gone.
        with pre_post.always_delete_row(stack, operation):
            pre_post.abort(stack, operation)


def has_not_begun(stack):
    """Return whether the operation of a stack has not started.

    Plugins are being called before it, or after a denial. The stack has no
    previous template then: Stack.rollback would go to an empty one.
    """
    return operation_table.find(
        stack.context, stack.id, stack.current_traversal,
        operation_table.NOT_BEGUN) is not None


def fail_not_begun(stack, action, reason):
    """Mark a stack as FAILED, without a rollback."""
    if not _set_failed(stack, action, reason):
        return
    if action == stack.SNAPSHOT:
        # Not Stack.update_snapshot: Heat 24 and 25 have none, and a snapshot
        # of theirs is not named by a traversal.
        operation_table.fail_snapshots(
            stack.context, stack.id, stack.current_traversal,
            charset.line(reason))
    # Workers of what ran before bail out.
    stack.purge_db()


def _set_failed(stack, action, reason):
    return stack.state_set(action, stack.FAILED, reason) or persist(stack)


def persist(stack):
    """Write the end of an operation, with its event, if Heat deferred it.

    Heat 24 and 25 write some of it when StackLock is released. The engine
    that had it is dead, or of a newer Heat, which does not take it.

    :returns: whether the stack has its traversal still.
    """
    return (stack.defer_state_persist()
            and bool(final_status.keep(stack, stack._persist_state)))


def set_running(stack):
    """Note that Heat begins to work on what the plugins let pass.

    :returns: False when the stack has another traversal by now.
    """
    operation = in_process_operations.state_of(stack).take('allowed')
    with _stopping(stack, operation):
        if operation_table.set_running(stack.context, operation,
                                       stack.current_traversal):
            # Any engine may end it from now on.
            in_process_operations.forget(operation.id)
            return True
        with pre_post.always_delete_row(stack, operation):
            pre_post.abort(stack, operation)
        return False


def stop(stack, original):
    """Do what heat.engine.worker._stop_traversal does, and tell plugins.

    :param original: Heat's own; takes nothing.
    """
    stopped = stack.current_traversal
    result = original()
    if stack.status == stack.FAILED:
        end_superseded(stack, stopped)
    return result


def end_superseded(stack, traversal):
    """Make the post call of what a newer operation, or a cancel, ended.

    An error does not stop Heat's own work: the recovery finds rows of
    operations that are over.
    """
    try:
        operation = operation_table.find(stack.context, stack.id, traversal)
        if operation is not None and run_post_calls(stack, operation,
                                                    True) is not None:
            pre_post.delete_row(stack, operation)
    except Exception:
        LOG.exception('Lifecycle plugins could not be told of the end of an '
                      'operation of stack %s', stack.id)


def run_post_calls(stack, operation, is_failure):
    """Make the post call, with the stack as it is in the database.

    Workers hold a light Stack with cached resource data.

    :returns: as :func:`pre_post.run_post_calls`.
    """
    if not in_process_operations.acquire(operation.id):
        return None
    told = None
    try:
        told = _run_post_calls(stack, operation, is_failure)
    finally:
        if told is None:
            in_process_operations.release(operation.id)
    return told


def _run_post_calls(stack, operation, is_failure):
    try:
        whole = type(stack).load(stack.context, stack_id=stack.id)
    except Exception as error:
        LOG.warning('Stack %(id)s is shown to lifecycle plugins as the '
                    'engine has it: %(error)s',
                    {'id': stack.id, 'error': error})
        whole = stack
    has_new = operation.action in (stack.UPDATE, stack.ROLLBACK,
                                   stack.RESTORE)
    return pre_post.run_post_calls(whole, operation, is_failure,
                                   whole if has_new else None)


def complete(stack, original):
    """Do what Stack.mark_complete does, once the plugins were told."""
    operation = operation_table.find(stack.context, stack.id,
                                     stack.current_traversal)
    failures = operation and run_post_calls(stack, operation, False)
    if failures is None:
        return original()
    try:
        result = (stack.mark_failed(_reason(stack, failures)) if failures
                  else original())
    except BaseException:
        # The outcome is not stored: for the recovery.
        in_process_operations.release(operation.id)
        raise
    with pre_post.always_delete_row(stack, operation):
        pass
    return result


def _reason(stack, failures):
    reason = '; '.join(failures)
    # Stack.mark_failed gives it to the snapshot, too.
    return charset.line(reason) if stack.action == stack.SNAPSHOT else reason


def end(stack, write, action, status, reason):
    """Write the end of an operation; plugins are told of a failure then.

    Of what was good they are told in :func:`complete`.

    :param write: takes action, status and reason, like Stack.state_set.
    """
    updated = write(action, status, reason)
    if stack.convergence and status == stack.FAILED and updated:
        end_superseded(stack, stack.current_traversal)
    return updated
