# SPDX-License-Identifier: Apache-2.0

"""Write down what an update is predicted to do, before it starts."""

import json
import os
import pathlib

from heat_extras.plan import change
from heat_extras.plan import stack_plan
from heat_extras.update_policy import update_check

DIRECTORY = pathlib.Path(os.environ['HEAT_EXTRAS_TEST_PLANS'])


def _walk(plan, path, may_go):
    """Yield the prediction for each resource, including removed ones.

    :param may_go: whether the nested stack itself may be replaced.
    """
    for name in plan.existing_names():
        row, predicted = plan.rows[name], plan.predict(name)
        is_certain = predicted.is_certain and (
            predicted.action in change.DESTRUCTIVE
            or not (may_go or predicted.may_replace))
        yield {'path': [*path, name], 'uuid': row.uuid,
               'action': predicted.action, 'is_certain': is_certain,
               'reason': predicted.reason}
        if not plan.is_nested(name) or name not in plan.new_names:
            continue
        if not predicted.destroys:
            yield from _walk(plan.child(name), [*path, name],
                             may_go or not predicted.keeps_id)


def _written(original):
    def refuses(stack, action, new_stack, *args, **kwargs):
        if stack.owner_id is None:
            plan = stack_plan.plan_update(stack, new_stack)
            (DIRECTORY / stack.id).write_text(
                json.dumps(list(_walk(plan, [], False))))
        return original(stack, action, new_stack, *args, **kwargs)
    return refuses


update_check.reject_if_forbidden = _written(update_check.reject_if_forbidden)


def resource_mapping():
    """Return no type: Heat only has to load this file."""
    return {}
