# SPDX-License-Identifier: Apache-2.0

"""Reject an update or a restore that changes an immutable parameter.

The error contains names, never values.
"""

import contextlib
import contextvars

from heat.common import exception as heat_exception
from oslo_log import log as logging
from oslo_messaging.rpc import dispatcher

from heat_extras import context_vars
from heat_extras.db import charset
from heat_extras.db import counters
from heat_extras.db import counting
from heat_extras.parameters import nested_check
from heat_extras.parameters import rules
from heat_extras.parameters import values
from heat_extras.pre_update_state import current_update
from heat_extras import sanitize

LOG = logging.getLogger(__name__)

_ADVICE = {
    rules.Operation.RESTORE:
        'A restore does not remove a restriction: first remove it with an '
        'update of the stack.',
    rules.Operation.ROLLBACK:
        'A rollback does not change a parameter that is not updatable in the '
        'current template of the stack.',
}
_LIFT_FIRST = ('First remove the restriction with an update that keeps the '
               'value (parameter_lift = two_step).')

_postponed = contextvars.ContextVar('heat_extras_parameters', default=None)


def postpone(*arguments):
    """Leave the check of parameters to :func:`prepare`.

    :param arguments: the first of :func:`values.find_violations`.
    :returns: whether that is running in this thread.
    """
    postponed = _postponed.get()
    if postponed is not None:
        postponed.append(arguments)
    return postponed is not None


def prepare(prepare_stacks, current, is_from_parent):
    """Check an update once Heat has prepared it.

    Heat's own check comes before the rest of the update is validated, when
    the nested stacks cannot be checked yet.

    :param prepare_stacks: Heat's own function; takes no argument.
    :param is_from_parent: whether this is a nested stack whose parent is
        being updated, which has checked in advance.
    :returns: what Heat returns; the last is the stack as it would be.
    :raises ImmutableParameterModified:
    """
    prepared = failure = None
    with context_vars.override(_postponed, []) as postponed:
        try:
            prepared = prepare_stacks()
        except Exception as error:
            failure = error
    # Heat checks parameters before anything else, and its later errors can
    # contain the value of a hidden parameter: they are no context of ours.
    operation = rules.Operation.UPDATE
    if is_from_parent and failure is None:
        operation = _operation_of_child(current, prepared[-1])
    violations = [violation for arguments in postponed
                  for violation in _own(*arguments, operation=operation)]
    if not is_from_parent and failure is None:
        violations += nested_check.find_violations(current, prepared[-1])
    _raise_for(violations, operation)
    if failure is not None:
        raise failure
    return prepared


def check(current, updated, operation=rules.Operation.UPDATE):
    """Check the parameters of a stack and of its nested stacks.

    :param updated: the stack as it would be.
    :raises ImmutableParameterModified:
    """
    _raise_for(_own(current.parameters, updated.parameters,
                    operation=operation)
               + nested_check.find_violations(current, updated, operation),
               operation)


def check_restore(current, snapshot):
    """Check a restore that Heat has not started yet.

    :raises ImmutableParameterModified:
    """
    restored = type(current)(
        current.context, current.name,
        current._template_from_snapshot_data(snapshot.data))
    check(current, restored, rules.Operation.RESTORE)


def _operation_of_child(current, updated):
    if not (values.updatable(current.parameters)
            or values.updatable(updated.parameters)):
        return rules.Operation.UPDATE
    update = current_update.find(current.context, current.id)
    return rules.Operation(update.action.lower())


def _own(*arguments, operation):
    return [((), name, answer) for name, answer in values.find_violations(
        *arguments, operation=operation).items()]


def _raise_for(found, operation=rules.Operation.UPDATE):
    if found:
        raise make_error(found, operation)


def make_error(found, operation=rules.Operation.UPDATE):
    """Make the error that names every parameter.

    :param found: ``(path, name, answer)``; the path of a nested stack is the
        names of the resources that lead to it, () the stack itself.
    """
    error = heat_exception.ImmutableParameterModified(charset.storable(
        sanitize.listing([_full_name(path, name) for path, name, _ in found],
                         ', ')))
    # Without advice Heat's message must do: Heat's tests compare it.
    advice = _ADVICE.get(operation)
    if advice is None and any(answer is rules.Answer.LIFT_FIRST
                              for _, _, answer in found):
        advice = _LIFT_FIRST
    if advice:
        # Heat's exception takes the names alone. The advice is first: events
        # of a nested stack have only the beginning.
        error.message = f'{advice} {error.message}'
    return error


def _full_name(path, name):
    return f'{name} of nested stack {"/".join(path)}' if path else name


@contextlib.contextmanager
def counted(context, identity, operation):
    """Count and log the operation of a caller if a parameter forbids it.

    :param identity: of the stack, as in RPC.
    """
    try:
        yield
    except dispatcher.ExpectedException as error:
        refused = error.exc_info[1]
        if isinstance(refused, heat_exception.ImmutableParameterModified):
            # The context of the thread can be the one of the stack's
            # credentials by now.
            LOG.info('%(operation)s of stack %(name)s (%(id)s) refused: '
                     '%(why)s', {
                         'operation': operation,
                         'name': identity['stack_name'],
                         'id': identity['stack_id'],
                         'why': sanitize.printable(refused)},
                     context=context)
            counting.count(identity['stack_id'], counters.PARAMETER,
                           operation, context)
        raise
