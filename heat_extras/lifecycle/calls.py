# SPDX-License-Identifier: Apache-2.0

"""Pre and post calls of one operation, noted in the database.

What happens on the way between them is in :mod:`traversal` for operations
that any engine can end, and in :mod:`thread` for those that end in the
thread that began them.
"""

import contextlib
import dataclasses
import functools

from oslo_log import log as logging
from oslo_utils import uuidutils

from heat_extras.db import counters
from heat_extras.db import counting
from heat_extras.heat_internals import lock_callbacks
from heat_extras.lifecycle import hand
from heat_extras.lifecycle import ledger
from heat_extras.lifecycle import operation as operations
from heat_extras.lifecycle import plugin as plugins
from heat_extras.lifecycle import public
from heat_extras.lifecycle import read_only
from heat_extras.lifecycle import registry
from heat_extras.lifecycle import runner
from heat_extras.lifecycle import words

LOG = logging.getLogger(__name__)

_engine = {'id': None}


class Lost(Exception):
    """Another engine has ended an operation of this one."""


def start_engine(engine_id):
    """Remember which engine this process is."""
    _engine['id'] = engine_id


def engine_id():
    """Return the id of this engine."""
    return _engine['id'] or 'unknown'


def are_wanted():
    """Return whether there is a plugin to call."""
    return bool(registry.ordered())


def are_due(stack, status):
    """Return whether plugins may have to be told of the end of an operation.

    :param status: that a stored stack comes to.
    """
    return (are_wanted() and stack.id is not None
            and status in (stack.COMPLETE, stack.FAILED))


def enter(stack, action, traversal=None, prior=None):
    """Note an operation of which the plugins are going to be asked.

    :param traversal: under which other engines find the stack meanwhile.
    :param prior: what :func:`unbegun.prior` has found before.
    :returns: the operation, in its first phase. It is in the hand of this
        process until :func:`end`, or until another engine may end it.
    """
    operation = operations.Operation(
        id=uuidutils.generate_uuid(), stack_id=stack.id, action=action,
        engine_id=engine_id(), traversal=traversal, prior=prior)
    hand.take(operation.id)
    try:
        ledger.begin(stack.context, operation)
    except BaseException:
        hand.leave(operation.id)
        raise
    return operation


def ask(stack, operation, new_stack=None, shown=None, is_told=False):
    """Make the pre calls.

    :param new_stack: what an update is going to make of the stack.
    :param shown: attributes of the stack to show as they were before.
    :param is_told: whether a denial is no more than a warning.
    :returns: the operation with the names of those that let it pass.
    :raises Refused: after the plugins that had passed were told. The row
        stays, as with :func:`abort`. So it is with everything else that can
        be raised here, the end of this thread too.
    """
    call = _call(stack, operation, new_stack, shown or {})

    def note(names):
        hand.note_passed(operation.id, names)
        if not ledger.note_passed(stack.context, operation, names):
            raise Lost(words.taken_over(operation.action, stack.id))
        hand.note_noted(operation.id, names)

    try:
        names = runner.pre(
            _told() if is_told else registry.ordered(), call, note,
            functools.partial(public.warn, stack, operation.action))
        hand.note_passed(operation.id, names)
    except BaseException:
        _unwind(stack, operation, call)
        raise
    return dataclasses.replace(operation, passed=tuple(names))


def _told():
    return [dataclasses.replace(each, mode=plugins.WARN)
            for each in registry.ordered()]


def go(stack, operation):
    """Note that Heat works on it, in this thread.

    :returns: the operation as it is now.
    :raises Lost: when another engine has ended it meanwhile.
    """
    if not ledger.set_running(stack.context, operation, None):
        raise Lost(words.taken_over(operation.action, stack.id))
    hand.note_noted(operation.id, operation.passed)
    return dataclasses.replace(operation, phase=operations.RUNNING)


def permit(stack, action, is_begun, is_told=False):
    """Note an operation and ask the plugins, while its caller waits.

    :param is_begun: whether it begins in this thread when they let it pass.
    :param is_told: as that of :func:`ask`.
    :returns: the operation.
    :raises Denied: when a plugin denies it. Then, and after any
        other error, those that had passed are told and its row is gone.
    """
    operation = enter(stack, action)
    try:
        operation = ask(stack, operation, is_told=is_told)
        return go(stack, operation) if is_begun else operation
    except runner.Refused as refusal:
        with ending(stack, operation):
            pass
        raise lock_callbacks.Denied(str(refusal)) from refusal
    except BaseException:
        with ending(stack, operation):
            abort(stack, operation)
        raise


def abort(stack, operation, new_stack=None):
    """Tell the plugins that what they let pass did not even start.

    The row stays: call :func:`end` when the outcome is stored.

    :returns: False when another engine does.
    """
    return _unwind(stack, operation, _call(stack, operation, new_stack, {}))


def _unwind(stack, operation, call):
    # RUNNING, too: this thread may have ended when that was just written.
    phases = [operation.phase]
    if operation.engine_id == engine_id():
        phases.append(operations.RUNNING)
    for phase in phases:
        claimed = ledger.claim(
            stack.context, dataclasses.replace(operation, phase=phase),
            engine_id(), True, operations.ABORT)
        if claimed is not None:
            _post(claimed, call, True, is_unwinding=True)
            return True
    _tell_unnoted(operation, call)
    return False


def _tell_unnoted(operation, call):
    # Those who let it pass when another engine had claimed it already, which
    # took this one for dead: that one tells the others.
    names = hand.unnoted(operation.id)
    if names and hand.told(operation.id) is None:
        hand.note_told(operation.id, [])
        runner.post(registry.ordered(), call, names, True, is_unwinding=True)


def _post(operation, call, is_failure, is_unwinding=False):
    failures = hand.told(operation.id)
    if failures is not None:
        return failures
    failures = []
    try:
        failures = runner.post(registry.ordered(), call,
                               hand.passed(operation), is_failure,
                               is_unwinding)
    finally:
        # Also when this thread is being ended: all were called.
        hand.note_told(operation.id, failures)
    return failures


def finish(stack, operation, is_failure, new_stack=None, shown=None):
    """Make the post calls, unless another engine does.

    The row stays: call :func:`end` when the outcome is stored.

    :returns: a list of what went wrong, or None when this was not ours.
    """
    claimed = ledger.claim(stack.context, operation, engine_id(), is_failure,
                           operations.POST)
    if claimed is None:
        return None
    status = 'FAILED' if is_failure else 'COMPLETE'
    call = _call(stack, claimed, new_stack, {
        'action': claimed.action, 'status': status,
        'state': (claimed.action, status), **(shown or {})})
    return _post(claimed, call, is_failure)


@contextlib.contextmanager
def ending(stack, operation):
    """Do the last things of an operation, and forget it.

    What fails is logged, as the caller has something to raise, and the rest
    is left to the recovery.
    """
    try:
        yield
        end(stack, operation)
    except Exception:
        hand.leave(operation.id)
        LOG.exception('%(action)s of stack %(id)s could not be brought to '
                      'its end; it is tried again at the next report of '
                      'this engine',
                      {'action': operation.action, 'id': stack.id})
    except BaseException:
        hand.leave(operation.id)
        raise


def end(stack, operation):
    """Forget an operation of which the plugins know that it is over.

    Not one that another engine has claimed; it does that itself. When the
    row cannot be deleted, the recovery does it, and tells nobody again.
    """
    try:
        ledger.end(stack.context, operation.id, engine_id())
    except BaseException:
        hand.leave(operation.id)
        raise
    hand.forget(operation.id)


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
        untouched=words.untouched(
            operation.action, stack.owner_id and stack.name,
            _stopped(operation, shown)))


def _count(context, operation, event, plugin):
    counting.count(operation.stack_id, event,
                   counters.of_plugin(operation.action, plugin), context)


def _stopped(operation, shown):
    # A stack that is made is IN_PROGRESS from the beginning.
    if (shown.get('status') == 'IN_PROGRESS'
            and operation.action not in ('CREATE', 'ADOPT')):
        return shown['action']
    return None
