# SPDX-License-Identifier: Apache-2.0

"""Plans: in the answer of a preview, and reviewed plans of updates."""

from heat_extras import guard
from heat_extras.heat_internals import operation_names
from heat_extras.plan import heat_stops
from heat_extras.plan import planned_update
from heat_extras.plan import preview


class PlanGuard(guard.Guard):
    """Rejects updates that would differ from their reviewed plan."""

    def process(self, request, proceed):
        answer = proceed()
        if request.operation == operation_names.PREVIEW:
            return {**answer, **preview.plan_body(request.context,
                                                  *request.stacks)}
        if request.planned_update is not None:
            # Heat reports success if another update has started first.
            request.planned_update.check_start()
        return answer

    def prepare_update(self, update, proceed):
        return planned_update.prepare(update, proceed)

    def list_stops(self, context, update):
        return heat_stops.list_stops(context, update)
