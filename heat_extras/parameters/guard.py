# SPDX-License-Identifier: Apache-2.0

"""Reject updates and restores that change parameters that are not updatable.

Heat checks a nested stack when the update of its parent reaches it, so the
update of the parent fails half-way. The check of the parent computes in
advance the values that the nested stacks would get. A nested stack itself
checks the values that are not known in advance.

The error contains names, never values.
"""

import copy

from heat.common import exception as heat_exception
from heat.engine import environment
from heat.engine import template as heat_template
from heat.objects import raw_template
from oslo_config import cfg
from oslo_log import log as logging
from oslo_messaging.rpc import dispatcher

from heat_extras.db import charset
from heat_extras.db import counter_writes
from heat_extras.db import counters
from heat_extras.db import stack_columns
from heat_extras import guard
from heat_extras.heat_internals import current_update
from heat_extras.parameters import rules
from heat_extras.parameters import values
from heat_extras.plan import stack_plan
from heat_extras import rpc_request
from heat_extras import sanitize

LOG = logging.getLogger(__name__)


def find_violations(current, updated, operation=rules.Operation.UPDATE):
    """List the parameters of nested stacks that an update may not change.

    The stacks are not modified.

    :param current: the current :class:`heat.engine.stack.Stack`.
    :param updated: the stack as it would be after the update.
    :returns: a list of ``(path, name, decision)``.
    """
    if not any(map(_may_restrict, (current, updated))):
        return []
    return list(_find_in_children(stack_plan.plan_update(current, updated),
                                  operation, ()))


def _may_restrict(stack):
    """Return whether a nested template may restrict a parameter."""
    defn = stack.defn
    # A file that Heat itself has read is of bytes.
    return any(attribute in str(text) for text in stack.t.files.values()
               for attribute in rules.ATTRIBUTES) or any(
        # The template of this type is not in a file.
        defn.resource_definition(name).resource_type
        == 'AWS::CloudFormation::Stack'
        for name in defn.enabled_rsrc_names())


def _find_in_children(plan, operation, path):
    for name in filter(plan.new_names.__contains__, plan.existing_names()):
        try:
            yield from _find_in_child(plan, name, operation, (*path, name))
        except RecursionError:
            raise
        except Exception as error:
            # The nested stack checks itself what cannot be planned.
            LOG.debug('Not checked in advance: parameters of nested stack '
                      '%(path)s: %(kind)s',
                      {'path': '/'.join((*path, name)),
                       'kind': type(error).__name__})


def _find_in_child(plan, name, operation, path):
    if not plan.keeps_nested(name):
        # A nested stack that is or may be replaced has no values to keep.
        return
    child = plan.child(name)
    if not child.inputs.is_known:
        return
    for parameter, decision in values.find_violations(
            child.stack.parameters, child.planned.parameters,
            operation=operation, unknown=child.inputs.parameters).items():
        yield path, parameter, decision
    yield from _find_in_children(child, operation, path)


_ADVICE = {
    rules.Operation.RESTORE:
        'A restore does not remove a restriction. First remove the '
        'restriction with an update of the stack.',
    rules.Operation.ROLLBACK:
        'A rollback does not change a parameter that is not updatable in the '
        'current template of the stack.',
}
_LIFT_FIRST = ('First remove the restriction with an update that keeps the '
               'value (parameter_lift = two_step). Then change the value with '
               'a second update.')


def postpone_check(*arguments):
    """Leave the check of parameters to :func:`check_prepared_update`.

    :param arguments: the first arguments of :func:`values.find_violations`.
        Spellings are kept at once, because Heat next validates the update.
    :returns: whether :func:`check_prepared_update` is running in this thread.
    """
    is_kept = values.keep_spelling(*arguments)
    request = rpc_request.current()
    if request is None or request.parameter_checks is None:
        return False
    request.parameter_checks.append((arguments, is_kept))
    return True


def check_prepared_update(prepare_stacks, current, is_from_parent):
    """Check an update once Heat has prepared it.

    Heat checks parameters before it validates the rest of the update. At that
    time the nested stacks cannot be checked.

    :param prepare_stacks: Heat's own function, without arguments.
    :param is_from_parent: whether this is a nested stack whose parent is
        being updated. The parent has checked this stack in advance.
    :returns: the result of Heat, whose last item is the updated stack.
    :raises ImmutableParameterModified: if an immutable parameter would
        change.
    """
    prepared = failure = None
    # Without a request, the check of Heat is not postponed.
    request = rpc_request.current() or rpc_request.Request(
        rpc_request.UPDATE, current.context)
    request.parameter_checks = []
    try:
        prepared = prepare_stacks()
    except Exception as error:
        failure = error
    postponed, request.parameter_checks = request.parameter_checks, None
    # The error below must not have Heat's error as its context: that error
    # can contain the value of a hidden parameter.
    operation = rules.Operation.UPDATE
    if is_from_parent and failure is None:
        operation = _operation_of_child(current, prepared[-1])
    violations = [violation for arguments, _is_kept in postponed
                  for violation in _find_own_violations(
                      *arguments, operation=operation)]
    if not is_from_parent and failure is None:
        violations += find_violations(current, prepared[-1])
    _raise_if_any(violations, operation)
    if failure is not None:
        raise failure
    if is_from_parent and any(is_kept for _arguments, is_kept in postponed):
        _store_again(current.context, prepared[0])
    return prepared


def _store_again(context, template):
    # The parent has stored the template (StackResource.update_with_template).
    stored = heat_template.Template(
        template.t, template.id, template.files,
        environment.Environment(copy.deepcopy(template.env.env_as_dict())))
    raw_template.RawTemplate.encrypt_hidden_parameters(stored)
    # Heat writes only values that differ, and 1 equals 1.0
    # (heat.db.api.raw_template_update).
    raw_template.RawTemplate.update_by_id(context, stored.id,
                                          {'environment': {}})
    stored.store(context)


def check_update(current, updated, operation=rules.Operation.UPDATE):
    """Check the parameters of a stack and of its nested stacks.

    :param updated: the stack as it would be after the update.
    :raises ImmutableParameterModified: if an immutable parameter would
        change.
    """
    _raise_if_any(_find_own_violations(current.parameters, updated.parameters,
                                       operation=operation)
                  + find_violations(current, updated, operation),
                  operation)


def check_restored(current, restored, template):
    """Check the restore of a snapshot, and keep the spelling of values.

    The legacy engine has checked it, see :func:`check_restore`.

    :param restored: the stack as it would be after the restore.
    :param template: its template, which Heat will store.
    :raises ImmutableParameterModified: if an immutable parameter would
        change.
    """
    values.keep_spelling(current.parameters, restored.parameters,
                         template.env.params, current.parameters)
    if current.convergence:
        check_update(current, restored, rules.Operation.RESTORE)


def check_restore(current, snapshot):
    """Check a restore that Heat has not started yet.

    :raises ImmutableParameterModified: if an immutable parameter would
        change.
    """
    restored = type(current)(
        current.context, current.name,
        current._template_from_snapshot_data(snapshot.data))
    check_update(current, restored, rules.Operation.RESTORE)


def _operation_of_child(current, updated):
    if not (values.updatable_column(current.parameters)
            or values.updatable_column(updated.parameters)):
        return rules.Operation.UPDATE
    update = current_update.find_update(current.context, current.id)
    return rules.Operation(update.action.lower())


def _find_own_violations(*arguments, operation):
    return [((), name, decision) for name, decision in values.find_violations(
        *arguments, operation=operation).items()]


def _raise_if_any(violations, operation=rules.Operation.UPDATE):
    if violations:
        raise make_error(violations, operation)


def make_error(violations, operation=rules.Operation.UPDATE):
    """Make the error that names every parameter.

    :param violations: tuples ``(path, name, decision)``. The path of a nested
        stack is a tuple of the names of the resources that lead to it. The
        path of the stack itself is ().
    """
    names = [f'{name} of nested stack {"/".join(path)}' if path else name
             for path, name, _ in violations]
    error = heat_exception.ImmutableParameterModified(
        charset.storable(sanitize.join_some(names, ', ')))
    # Without advice, the message stays as in Heat, whose tests compare it.
    advice = _ADVICE.get(operation)
    if advice is None and any(decision is rules.Decision.LIFT_FIRST
                              for _, _, decision in violations):
        advice = _LIFT_FIRST
    if advice:
        # Heat's exception contains only the names. The advice comes first,
        # because events of a nested stack contain only the beginning.
        error.message = f'{advice} {error.message}'
    return error


def process(request, proceed):
    """Process a request. Count and log it if a parameter forbids it.

    :param proceed: continues with the request.
    """
    try:
        return proceed()
    except dispatcher.ExpectedException as error:
        refused = error.exc_info[1]
        if isinstance(refused, heat_exception.ImmutableParameterModified):
            # The context of the thread can now be the one with the stored
            # credentials of the stack.
            LOG.info('%(operation)s of stack %(name)s (%(id)s) rejected: '
                     '%(why)s', {
                         'operation': request.operation,
                         'name': request.identity['stack_name'],
                         'id': request.identity['stack_id'],
                         'why': sanitize.printable(refused)},
                     context=request.context)
            counter_writes.count_event(request.identity['stack_id'],
                                       counters.PARAMETER, request.operation,
                                       request.context)
        raise


_HOW_TO_LIFT = {
    'same_update': 'update the stack with a template that removes the '
                   'restriction (the same update can change the value)',
    'two_step': 'first update the stack with a template that removes the '
                'restriction, and keep the value. Then change the value with '
                'a second update',
}


class ParametersGuard(guard.Guard):
    """Rejects updates and restores that change immutable parameters."""

    answers = {'show_stack': values.add_updatable_field}

    def process(self, request, proceed):
        # A preview is not a rejected update.
        return (process(request, proceed)
                if request.operation in (rpc_request.UPDATE,
                                         rpc_request.RESTORE)
                else proceed())

    def prepare_update(self, update, proceed):
        return check_prepared_update(
            proceed, update.stack, update.is_from_parent)

    def restore(self, stack, proceed):
        restored, template = proceed()
        check_restored(stack, restored, template)
        return restored, template

    def stored_columns(self, stack):
        return {values.FIELD: values.updatable_column(stack.parameters)}

    def format_stack(self, info, stack):
        # From the template, because the stack may be older than the column.
        values.add_field(info, values.updatable_column(stack.parameters))

    def format_row(self, info, row):
        values.add_field(info, stack_columns.get_columns(row).updatable)

    def list_guards(self, context, tree):
        # Without a query.
        how = _HOW_TO_LIFT[cfg.CONF.heat_extras.parameter_lift]
        return [
            guard.GuardInfo(
                kind='parameter', stack_id=row.id, name=name,
                stops=('update', 'restore'),
                reason='not updatable in the template: updates cannot change '
                       'the value',
                lifted_by='stacks:update', how_to_lift=how)
            for row in tree.stacks
            for name, is_updatable in (row.updatable or {}).items()
            if not is_updatable]
