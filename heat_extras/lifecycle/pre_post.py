# SPDX-License-Identifier: Apache-2.0

"""Pre and post calls of one operation, noted in the database.

What happens between them is in :mod:`convergence` for operations that any
engine can end, and in :mod:`legacy_engine` for those that end in the thread
that began them.
"""

import contextlib
import dataclasses
import functools

from oslo_log import log as logging
from oslo_utils import uuidutils

from heat_extras.db import counters
from heat_extras.db import counting
from heat_extras.lifecycle import denied_action
from heat_extras.lifecycle import in_process_operations
from heat_extras.lifecycle import operation_table
from heat_extras.lifecycle import options
from heat_extras.lifecycle import plugin_api
from heat_extras.lifecycle import read_only
from heat_extras.lifecycle import registry
from heat_extras.lifecycle import runner

LOG = logging.getLogger(__name__)

# What did not happen to the resources of a stack.
_DONE = {'CREATE': 'created', 'ADOPT': 'adopted', 'DELETE': 'deleted'}

_engine = {'id': None}


class TakenOver(Exception):
    """Another engine has ended an operation of this one."""

    def __init__(self, operation):
        super().__init__(
            f'{operation.action} of stack {operation.stack_id} is not '
            'started: another engine considered this one down and has ended '
            'it; check report_interval and the load of the host and of the '
            'database')


def start_engine(engine_id):
    """Remember which engine this process is."""
    _engine['id'] = engine_id


def engine_id():
    """Return the id of this engine."""
    return _engine['id'] or 'unknown'


def has_plugins():
    """Return whether there is a plugin to call."""
    return bool(registry.ordered())


def is_end(stack, status):
    """Return whether plugins may have to be told of the end of an operation.

    :param status: that a stored stack comes to.
    """
    return (has_plugins() and stack.id is not None
            and status in (stack.COMPLETE, stack.FAILED))


def create_operation(stack, action, traversal=None):
    """Note an operation of which the plugins are going to be asked.

    :param traversal: under which other engines find the stack meanwhile.
    :returns: the operation, in its first phase. It is in the hand of this
        process until :func:`delete_row`, or until another engine may end it.
    """
    operation = operation_table.Operation(
        id=uuidutils.generate_uuid(), stack_id=stack.id, action=action,
        engine_id=engine_id(), traversal=traversal,
        prior=denied_action.state_before(stack, action))
    in_process_operations.acquire(operation.id)
    try:
        operation_table.insert(stack.context, operation)
    except BaseException:
        in_process_operations.release(operation.id)
        raise
    return operation


def run_pre_calls(stack, operation, new_stack=None, shown=None,
                  is_warning=False):
    """Make the pre calls.

    :param new_stack: what an update is going to make of the stack.
    :param shown: attributes of the stack to show as they were before.
    :param is_warning: whether a denial is no more than a warning.
    :returns: the operation with the names of those that let it pass.
    :raises Refused: after the plugins that had passed were told. The row
        stays, as with :func:`abort`. So it is with everything else that can
        be raised here, the end of this thread too.
    """
    call = _call(stack, operation, new_stack, shown or {})
    record = in_process_operations.record_of(operation.id)

    def note(names):
        record.passed = tuple(names)
        if not operation_table.set_passed(stack.context, operation, names):
            raise TakenOver(operation)

    try:
        names = runner.pre(
            _warning_only() if is_warning else registry.ordered(), call, note,
            functools.partial(plugin_api.warn, stack, operation.action))
        record.passed = tuple(names)
    except BaseException:
        _unwind(stack, operation, call)
        raise
    return dataclasses.replace(operation, passed=tuple(names))


def _warning_only():
    return [dataclasses.replace(each, mode=options.WARN)
            for each in registry.ordered()]


def mark_running(stack, operation):
    """Note that Heat works on it, in this thread.

    :returns: the operation as it is now.
    :raises TakenOver: when another engine has ended it meanwhile.
    """
    if not operation_table.set_running(stack.context, operation, None):
        raise TakenOver(operation)
    return dataclasses.replace(operation, phase=operation_table.RUNNING)


def abort(stack, operation, new_stack=None):
    """Make the post calls of an operation that did not start.

    The row stays: call :func:`delete_row` when the outcome is stored.

    :returns: False when another engine does.
    """
    return _unwind(stack, operation, _call(stack, operation, new_stack, {}))


def _unwind(stack, operation, call):
    # RUNNING, too: this thread may have ended when that was just written.
    phases = [operation.phase]
    if operation.engine_id == engine_id():
        phases.append(operation_table.RUNNING)
    for phase in phases:
        claimed = operation_table.take_over(
            stack.context, dataclasses.replace(operation, phase=phase),
            engine_id(), True, operation_table.ABORT)
        if claimed is not None:
            _post(claimed, call, True, is_unwinding=True)
            return True
    if (operation.phase != operation_table.RUNNING
            and in_process_operations.record_of(operation.id).passed):
        # Another engine, which considered this one down, does not know of
        # the plugins that answered since.
        _post(operation, call, True, is_unwinding=True)
    return False


def _post(operation, call, is_failure, is_unwinding=False):
    record = in_process_operations.record_of(operation.id)
    if record.failures is not None:
        return record.failures
    failures = []
    try:
        failures = runner.post(
            registry.ordered(), call, {*operation.passed, *record.passed},
            is_failure, is_unwinding)
    finally:
        # Also when this thread is being ended: all were called.
        record.failures = failures
    return failures


def run_post_calls(stack, operation, is_failure, new_stack=None, shown=None):
    """Make the post calls, unless another engine does.

    The row stays: call :func:`delete_row` when the outcome is stored.

    :returns: a list of what went wrong, or None when this was not ours.
    """
    claimed = operation_table.take_over(
        stack.context, operation, engine_id(), is_failure,
        operation_table.POST)
    if claimed is None:
        return None
    status = 'FAILED' if is_failure else 'COMPLETE'
    call = _call(stack, claimed, new_stack, {
        'action': claimed.action, 'status': status,
        'state': (claimed.action, status), **(shown or {})})
    return _post(claimed, call, is_failure)


@contextlib.contextmanager
def always_delete_row(stack, operation):
    """Delete the row of an operation after what is done inside.

    An error is logged, as the caller has an error of its own to raise, and
    the recovery tries again.
    """
    try:
        yield
        delete_row(stack, operation)
    except Exception:
        in_process_operations.release(operation.id)
        LOG.exception('%(action)s of stack %(id)s could not be finished; '
                      'it is tried again at the next report of this engine',
                      {'action': operation.action, 'id': stack.id})
    except BaseException:
        in_process_operations.release(operation.id)
        raise


def delete_row(stack, operation):
    """Forget an operation of which the plugins know that it is over.

    Not one that another engine has claimed; it does that itself. When the
    row cannot be deleted, the recovery does it, and tells nobody again.
    """
    try:
        operation_table.delete(stack.context, operation, engine_id())
    except BaseException:
        in_process_operations.release(operation.id)
        raise
    in_process_operations.forget(operation.id)


def _call(stack, operation, new_stack, shown):
    def arguments(name):
        about = {'operation_id': operation.id, **shown}
        return (stack.context, read_only.wrap(stack, name, **about),
                read_only.wrap(new_stack, name, operation_id=operation.id))
    return runner.Call(
        operation.action, arguments,
        enter=getattr(stack.context, 'update_store', lambda: None),
        about=f'stack {stack.name} ({operation.stack_id})',
        count=functools.partial(_count, stack.context, operation),
        untouched=_untouched(stack, operation, shown))


def _count(context, operation, event, plugin):
    counting.count(operation.stack_id, event,
                   counters.of_plugin(operation.action, plugin), context)


def _untouched(stack, operation, shown):
    # What an action that is refused leaves as it is.
    done = _DONE.get(operation.action, 'changed')
    of_stack = f'of stack {stack.name} ' if stack.owner_id else ''
    # A stack that is created is IN_PROGRESS from the beginning.
    if (shown.get('status') == 'IN_PROGRESS'
            and operation.action not in ('CREATE', 'ADOPT')):
        return (f'The {shown["action"]} that was in progress is stopped, '
                f'nothing else {of_stack}was {done}.')
    return f'Nothing {of_stack}was {done}.'
