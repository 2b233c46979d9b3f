# SPDX-License-Identifier: Apache-2.0

"""The freezes that are in effect.

A freeze is checked when the operation starts. Calls of Heat for a parent stack
are not checked, because they are part of a running operation.

Signals are ignored, except signals of agents in servers, and signals that
clear a hook.
"""

from heat.objects import stack as stack_object
from oslo_log import log as logging
from oslo_utils import timeutils

from heat_extras.db import counter_writes
from heat_extras.db import counters
from heat_extras.freeze import errors
from heat_extras.freeze import exempt
from heat_extras.freeze import file_watch
from heat_extras.freeze import window as windows
from heat_extras import guard
from heat_extras.heat_internals import agent_signals
from heat_extras.heat_internals import heartbeat
from heat_extras.heat_internals import object_data
from heat_extras import rpc_request
from heat_extras import sanitize
from heat_extras import timestamps

LOG = logging.getLogger(__name__)


class FreezeGuard(guard.Guard):
    """Rejects the operations that a freeze window contains."""

    methods = {'list_freezes': lambda engine, context: list_freezes(context)}

    def process(self, request, proceed):
        if request.operation == rpc_request.CREATE:
            _check_create(request)
        elif request.operation == rpc_request.MIGRATE:
            # For this command of an operator, Heat does not load the row.
            row = stack_object.Stack.get_by_id(request.context,
                                               request.arguments['stack_id'])
            if row is not None:
                self.check_row(request, row)
        return proceed()

    def check_row(self, request, row):
        # An operation that started before a freeze continues.
        if request.is_row_checked or request.is_of_parent:
            return
        if request.operation == rpc_request.SIGNAL:
            request.ignored_by = tuple(find_windows(
                request.context, request.operation, row.tenant,
                timeutils.utcnow()))
        else:
            refuse_if_frozen(
                request.context, request.operation, row.tenant, row.name,
                row.id, row.owner_id is not None)

    def accept_signal(self, resource, proceed):
        if not record_window(resource):
            return proceed()

    def signal(self, resource, details, proceed):
        return deliver_signal(resource, details, proceed)

    def list_stops(self, context, update):
        now, stack = timeutils.utcnow(), update.stack
        operation = (rpc_request.CREATE if update.is_creation
                     else rpc_request.UPDATE)
        frozen_by = find_windows(context, operation, stack.tenant_id, now)
        return [guard.Stop(errors.StackFrozen.__name__, _describe(
            operation, stack.name, stack.id, frozen_by, now))
        ] if frozen_by else []

    def list_guards(self, context, tree):
        # Without a query.
        at = windows.clamp(tree.at or timeutils.utcnow())
        known = [each for each in file_watch.current_windows()
                 if each.is_of(tree.stack.tenant)]
        return [_to_guard(tree, each, at)
                for each in windows.active_windows(known, at)
                if not exempt.is_exempt(context, each)]

    def sweep_steps(self):
        return {'the freezes file': file_watch.record_freezes}


def _check_create(request):
    if not request.is_of_parent:
        refuse_if_frozen(
            request.context, rpc_request.CREATE,
            request.context.project_id, request.arguments['stack_name'],
            is_nested=request.arguments.get('owner_id') is not None)


def _to_guard(tree, window, at):
    span = window.span(at)
    return guard.GuardInfo(
        kind='freeze', stack_id=tree.stack.id, name=window.name,
        stops=window.stops(),
        set_at=span.since, reason=window.reason,
        lifted_by=window.exempt or 'nobody',
        how_to_lift=f'try again at {timestamps.to_iso(span.until)}',
        expires_at=span.until)


def find_windows(context, operation, project, now):
    """List the windows that reject an operation of a caller.

    :param now: the time in UTC.
    :returns: the windows, ordered by their end, the latest first.
    """
    concerning = [window for window in file_watch.current_windows()
                  if window.concerns(operation, project)]
    # Check this last, because it might read a policy file.
    return [window for window in windows.active_windows(concerning, now)
            if not exempt.is_exempt(context, window)]


def refuse_if_frozen(context, operation, project, name, stack_id=None,
                     is_nested=False):
    """Reject an operation during a freeze window.

    :param stack_id: None if the operation creates the stack.
    :raises StackFrozen: if a window rejects the operation.
    """
    now = timeutils.utcnow()
    frozen_by = find_windows(context, operation, project, now)
    # An engine without heat-extras does not mark its calls for a parent, and
    # its operation has to finish. This takes one query, and only if the
    # operation would be rejected.
    if not frozen_by or (is_nested and
                         heartbeat.has_engine_without_heat_extras(context)):
        return
    LOG.info('%(operation)s of stack %(name)s (%(id)s) rejected: freeze '
             '"%(freeze)s" is in effect',
             {'operation': operation, 'name': name, 'id': stack_id,
              'freeze': frozen_by[0].name})
    counter_writes.count_event(stack_id or counters.DELETED_STACKS,
                               counters.FROZEN,
                               operation, context)
    raise errors.StackFrozen(message=_describe(operation, name, stack_id,
                                               frozen_by, now))


def _describe(operation, name, stack_id, frozen_by, now):
    return frozen_message(
        operation, f'{name} ({stack_id})' if stack_id else name, frozen_by[0],
        timestamps.to_iso(frozen_by[0].span(now).until))


def frozen_message(operation, stack, window, until):
    """Return the message for a rejected operation."""
    return (f'Stack {stack} is frozen until {until} (freeze '
            f'"{window.name}"{sanitize.after_colon(window.reason)}). The '
            f'operation "{operation}" is rejected. Try again at {until}.')


def record_window(resource):
    """Record with a resource the window because of which to ignore its signal.

    Another thread processes the signal.

    :returns: whether there is such a window.
    """
    request = rpc_request.current()
    is_free = request is None or agent_signals.is_signaled_by_agents(resource)
    window = None if is_free else next(iter(request.ignored_by), None)
    object_data.of_resource(resource).frozen_by = window
    return window is not None


def deliver_signal(resource, details, proceed):
    """Deliver a signal, or ignore it during a freeze.

    :param proceed: delivers the signal.
    """
    window = object_data.of_resource(resource).frozen_by
    if window is None or agent_signals.clears_hook(details):
        return proceed()
    stack = resource.stack
    LOG.info(
        'Signal to %(resource)s of stack %(stack)s (%(id)s) ignored: freeze '
        '"%(freeze)s" is in effect',
        {'resource': sanitize.printable(resource.name), 'stack': stack.name,
         'id': stack.id, 'freeze': window.name})
    counter_writes.count_event(stack.id, counters.FROZEN_SIGNAL, window.name,
                               resource.context)
    return False


def list_freezes(context):
    """List the freezes that apply to the caller, the first begin first.

    Each window is listed once: with its current period, or with its next
    period if it is not active. Windows without a next period are left out.

    :returns: a list of dicts, as in the response of the API.
    """
    now = windows.clamp(timeutils.utcnow())
    listed = [
        (span, each) for each in file_watch.current_windows()
        for span in [each.current_or_next(now)]
        if span and each.is_of(context.project_id)
        and not exempt.is_exempt(context, each)]
    return [_to_body(span, each, now) for span, each in sorted(
        listed, key=lambda pair: (pair[0].since, pair[1].name))]


def _to_body(span, window, now):
    return {'name': window.name, 'reason': window.reason,
            'begin': timestamps.to_iso(span.since),
            'end': timestamps.to_iso(span.until),
            'active': span.includes(now),
            'operations': sorted(each.replace(' ', '_')
                                 for each in window.operations)}
