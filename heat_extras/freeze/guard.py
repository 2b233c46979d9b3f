# SPDX-License-Identifier: Apache-2.0

"""The freezes that are in effect.

A freeze is checked when the operation starts. Calls of Heat for a parent stack
are not checked, because they are part of a running operation.
"""

from heat.objects import stack as stack_object
from oslo_utils import timeutils

from heat_extras.freeze import check
from heat_extras.freeze import exempt
from heat_extras.freeze import file_watch
from heat_extras.freeze import listing
from heat_extras.freeze import signals
from heat_extras.freeze import window as windows
from heat_extras import guard
from heat_extras import guard_info
from heat_extras.heat_internals import operation_names
from heat_extras import timestamps


class FreezeGuard(guard.Guard):
    """Rejects the operations that a freeze window contains."""

    methods = {'list_freezes': lambda engine, context: listing.list_freezes(
        context)}

    def process(self, request, proceed):
        if request.operation == operation_names.CREATE:
            _check_create(request)
        elif request.operation == operation_names.MIGRATE:
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
        if request.operation == operation_names.SIGNAL:
            request.ignored_by = tuple(check.find_windows(
                request.context, request.operation, row.tenant,
                timeutils.utcnow()))
        else:
            check.refuse_if_frozen(
                request.context, request.operation, row.tenant, row.name,
                row.id, row.owner_id is not None)

    def accept_signal(self, resource, proceed):
        if not signals.record_window(resource):
            return proceed()

    def signal(self, resource, details, proceed):
        return signals.signal(resource, details, proceed)

    def list_stops(self, context, update):
        return check.list_stops(context, update)

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
        check.refuse_if_frozen(
            request.context, operation_names.CREATE,
            request.context.project_id, request.arguments['stack_name'],
            is_nested=request.arguments.get('owner_id') is not None)


def _to_guard(tree, window, at):
    span = window.span(at)
    return guard_info.GuardInfo(
        kind='freeze', stack_id=tree.stack.id, name=window.name,
        stops=window.stops(),
        set_at=span.since, reason=window.reason,
        lifted_by=window.exempt or 'nobody',
        how_to_lift=f'try again at {timestamps.to_iso(span.until)}',
        expires_at=span.until)
