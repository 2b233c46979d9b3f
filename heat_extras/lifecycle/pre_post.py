# SPDX-License-Identifier: Apache-2.0

"""Make the pre and post calls of one operation, and record them.

:mod:`convergence` uses them for operations that any engine can end,
:mod:`legacy_engine` for operations that end in the thread that started them.

The status after a denied DELETE or SUSPEND is DELETE_FAILED or SUSPEND_FAILED,
so that clients which wait for the action see its end. Heat rejects updates of
such a stack, because it may be partly deleted or suspended
(heat.engine.service.EngineService.update_stack). But after a denial the stack
is complete. So its next update first restores the previous state.
"""

import contextlib
import dataclasses
import functools

from heat.common import exception
from heat.db import api as db_api
from heat.db import models as heat_models
from heat.objects import stack as stack_object
from oslo_log import log as logging
from oslo_messaging.rpc import dispatcher
from oslo_utils import uuidutils
import sqlalchemy

from heat_extras.db import counter_writes
from heat_extras.db import counters
from heat_extras.db import models
from heat_extras.db import transactions
from heat_extras import left_operations
from heat_extras.lifecycle import dry_run
from heat_extras.lifecycle import operation_table
from heat_extras.lifecycle import options
from heat_extras.lifecycle import plugin_api
from heat_extras.lifecycle import read_only
from heat_extras.lifecycle import registry
from heat_extras.lifecycle import runner

LOG = logging.getLogger(__name__)


_ACTIONS = ('DELETE', 'SUSPEND')
_FAILED, _IN_PROGRESS = 'FAILED', 'IN_PROGRESS'

_table = models.operation_table
_stack = heat_models.Stack.__table__


def state_before(stack, action):
    """Return the state of a stack before an action.

    :param stack: a heat.engine.stack.Stack, as it was loaded.
    :returns: action and status, or None if Heat allows updates after a failed
        *action*.
    """
    if action not in _ACTIONS or stack.id is None:
        return None
    denied = _find_denied(stack.context, stack)
    if denied:
        return denied.prior
    # The action stops an operation in progress.
    return (stack.action, _FAILED if stack.status == _IN_PROGRESS
            else stack.status)


def _find_denied(context, stack):
    if stack.action in _ACTIONS and stack.status == _FAILED:
        return operation_table.find_denied(context, stack)
    return None


def process_update(request, proceed):
    """Update a stack, also after an action that was denied.

    :param proceed: continues with the request.
    """
    try:
        return proceed()
    except dispatcher.ExpectedException as error:
        if not isinstance(error.exc_info[1], exception.NotSupported):
            raise
        if not _restore_state(request.context, request.identity['stack_id']):
            raise
    return proceed()


@transactions.on_db_error
def _restore_state(context, stack_id):
    row = stack_object.Stack.get_by_id(context, stack_id, eager_load=False)
    denied = row is not None and _find_denied(context, row)
    if not denied:
        return False
    action, status = denied.prior
    # The row has no prior state if another delete has started and failed.
    is_complete = sqlalchemy.exists().where(
        _table.c.id == denied.id, _table.c.prior.is_not(None))
    with db_api.context_manager.writer.independent.using(context) as session:
        return bool(session.execute(
            sqlalchemy.update(_stack).where(
                _stack.c.id == stack_id, _stack.c.action == row.action,
                _stack.c.status == row.status, is_complete)
            .values(action=action, status=status)).rowcount)


# Participles for messages about resources that were not touched.
_NOT_DONE = {'CREATE': 'created', 'ADOPT': 'adopted', 'DELETE': 'deleted'}

_engine = {'id': None}


class TakenOver(Exception):
    """Another engine has ended an operation of this one."""

    def __init__(self, operation):
        super().__init__(
            f'{operation.action} of stack {operation.stack_id} is not '
            'started: another engine considered this engine down and has '
            'ended the operation. Check report_interval and the load of the '
            'host and of the database.')


def set_engine_id(engine_id):
    """Set the ID of the engine of this process."""
    _engine['id'] = engine_id


def get_engine_id():
    """Return the ID of the engine of this process."""
    return _engine['id'] or 'unknown'


def has_plugins():
    """Return whether any plugin is loaded."""
    return bool(registry.list_plugins())


def is_final_state(stack, status):
    """Return whether post calls may be necessary for a new status.

    :param status: the new status of the stack.
    """
    return (has_plugins() and stack.id is not None
            and status in (stack.COMPLETE, stack.FAILED))


def create_operation(stack, action, traversal=None):
    """Record an operation before its pre calls.

    :param traversal: the traversal of the stack during the pre calls.
    :returns: the operation in its first phase. This process works on it until
        :func:`delete_row`, or until another engine may end it.
    """
    operation = operation_table.Operation(
        id=uuidutils.generate_uuid(), stack_id=stack.id, action=action,
        engine_id=get_engine_id(), traversal=traversal,
        prior=state_before(stack, action))
    left_operations.acquire(operation.id)
    try:
        operation_table.insert_row(stack.context, operation)
    except BaseException:
        left_operations.release(operation.id)
        raise
    return operation


def run_pre_calls(stack, operation, new_stack=None, overrides=None,
                  is_warning=False):
    """Make the pre calls, and the dry runs for nested stacks.

    :param new_stack: the stack as it would be after an update.
    :param overrides: attributes that plugins see in place of those of *stack*.
    :param is_warning: whether a denial is only a warning.
    :returns: the operation with the names of the plugins that allowed it.
    :raises ActionDenied: after the post calls of the plugins that had allowed
        it. As with :func:`abort_operation`, the row is not deleted. The same
        is true for any other exception, also when this thread is ended.
    """
    call = _make_call(stack, operation, new_stack, overrides or {})
    record = left_operations.get_record(operation.id)

    def record_passed(names):
        record.passed = tuple(names)
        if not operation_table.set_passed(stack.context, operation, names):
            raise TakenOver(operation)

    try:
        names = runner.run_pre_ops(
            _list_as_warning() if is_warning else registry.list_plugins(),
            call, record_passed,
            functools.partial(plugin_api.warn, stack, operation.action))
        record.passed = tuple(names)
        dry_run.check_nested(stack, new_stack, call, operation.id,
                             lambda: record_passed(names))
    except BaseException:
        _run_abort_calls(stack, operation, call)
        raise
    return dataclasses.replace(operation, passed=tuple(names))


def _list_as_warning():
    return [dataclasses.replace(each, mode=options.WARN)
            for each in registry.list_plugins()]


def mark_running(stack, operation):
    """Record that Heat works on an operation in this thread.

    :returns: the operation with its new phase.
    :raises TakenOver: if another engine has ended the operation.
    """
    if not operation_table.set_running(stack.context, operation, None):
        raise TakenOver(operation)
    return dataclasses.replace(operation, phase=operation_table.RUNNING)


def abort_operation(stack, operation, new_stack=None):
    """Make the post calls of an operation that did not start.

    The row is not deleted. Call :func:`delete_row` when the final state is
    stored.

    :returns: False if another engine makes the post calls.
    """
    return _run_abort_calls(stack, operation,
                            _make_call(stack, operation, new_stack, {}))


def _run_abort_calls(stack, operation, call):
    # Also RUNNING, because this thread may have been ended just after it wrote
    # this phase.
    phases = [operation.phase]
    if operation.engine_id == get_engine_id():
        phases.append(operation_table.RUNNING)
    for phase in phases:
        taken_over = operation_table.take_over(
            stack.context, dataclasses.replace(operation, phase=phase),
            get_engine_id(), True, operation_table.ABORT)
        if taken_over is not None:
            _run_post_calls_once(taken_over, call, True, is_unwinding=True)
            return True
    if (operation.phase != operation_table.RUNNING
            and left_operations.get_record(operation.id).passed):
        # Another engine considered this engine down. It does not have the
        # names of the plugins that answered after that.
        _run_post_calls_once(operation, call, True, is_unwinding=True)
    return False


def _run_post_calls_once(operation, call, is_failure, is_unwinding=False):
    record = left_operations.get_record(operation.id)
    if record.failures is not None:
        return record.failures
    failures = []
    try:
        failures = runner.run_post_ops(
            registry.list_plugins(), call, {*operation.passed, *record.passed},
            is_failure, is_unwinding)
    finally:
        # Also if this thread is being ended: all plugins were called.
        record.failures = failures
    return failures


def run_post_calls(stack, operation, is_failure, new_stack=None,
                   overrides=None):
    """Make the post calls, unless another engine makes them.

    The row is not deleted. Call :func:`delete_row` when the final state is
    stored.

    :returns: a list of messages about errors, or None if another engine has
        taken the operation over.
    """
    taken_over = operation_table.take_over(
        stack.context, operation, get_engine_id(), is_failure,
        operation_table.POST)
    if taken_over is None:
        return None
    status = 'FAILED' if is_failure else 'COMPLETE'
    call = _make_call(stack, taken_over, new_stack, {
        'action': taken_over.action, 'status': status,
        'state': (taken_over.action, status), **(overrides or {})})
    return _run_post_calls_once(taken_over, call, is_failure)


@contextlib.contextmanager
def always_delete_row(stack, operation):
    """Delete the row of an operation at the end of a ``with`` block.

    Errors are only logged, because the caller has its own error to raise. The
    recovery repeats the deletion.
    """
    try:
        yield
        delete_row(stack, operation)
    except Exception:
        left_operations.release(operation.id)
        LOG.exception('%(action)s of stack %(id)s could not be finished. The '
                      'engine tries again within [DEFAULT] '
                      'periodic_interval.',
                      {'action': operation.action, 'id': stack.id})
    except BaseException:
        left_operations.release(operation.id)
        raise


def delete_row(stack, operation):
    """Delete the row of an operation after its post calls.

    The row is not deleted if another engine has taken it over. After an error,
    the recovery deletes it without further post calls.
    """
    try:
        operation_table.delete_row(stack.context, operation, get_engine_id())
    except BaseException:
        left_operations.release(operation.id)
        raise
    left_operations.remove_record(operation.id)


def _make_call(stack, operation, new_stack, overrides):
    def arguments(name):
        values = {'operation_id': operation.id, **overrides}
        return (stack.context, read_only.wrap_value(stack, name, **values),
                read_only.wrap_value(new_stack, name,
                                     operation_id=operation.id))
    return runner.Call(
        operation.action, arguments,
        enter=getattr(stack.context, 'update_store', lambda: None),
        about=f'stack {stack.name} ({operation.stack_id})',
        count=functools.partial(_count, stack.context, operation),
        untouched=_describe_untouched(stack, operation, overrides))


def _count(context, operation, event, plugin):
    counter_writes.count_event(
        operation.stack_id, event,
        counters.plugin_operation(operation.action, plugin), context)


def _describe_untouched(stack, operation, overrides):
    participle = _NOT_DONE.get(operation.action, 'changed')
    of_stack = f'of stack {stack.name} ' if stack.owner_id else ''
    # A new stack is IN_PROGRESS from the beginning.
    if (overrides.get('status') == 'IN_PROGRESS'
            and operation.action not in ('CREATE', 'ADOPT')):
        return (f'The {overrides["action"]} that was in progress is stopped. '
                f'Nothing else {of_stack}was {participle}.')
    return f'Nothing {of_stack}was {participle}.'
