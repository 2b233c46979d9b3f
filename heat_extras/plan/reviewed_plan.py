# SPDX-License-Identifier: Apache-2.0

"""The reviewed plan that an update must comply with while it runs.

The request is checked before the update starts. Values that are not known then
can still lead to a replacement that is not in the plan. So the resources that
the plan replaces or removes are stored, and each resource is checked when the
update reaches it.
"""

import dataclasses
import hashlib

from heat.db import api as db_api
from heat.db import models
from heat.objects import stack as stack_object
import sqlalchemy

from heat_extras.db import stack_tree
from heat_extras.heat_internals import object_data
from heat_extras.plan import change
from heat_extras.pre_update_state import baseline
from heat_extras.pre_update_state import current_update

_REMEDY = ('Make a new plan of the update. If the new plan does not contain '
           'this change either, do the update without a plan.')

_WOULD = {change.REPLACE: 'replaced', change.REMOVE: 'removed'}

_stack = models.Stack.__table__
_REVISION = ('id', 'owner_id', 'raw_template_id', 'prev_raw_template_id',
             'current_traversal')


@dataclasses.dataclass(frozen=True)
class ReviewedPlan:
    """A reviewed plan, as far as it is needed during its update.

    :param revision: of the stack when the plan was made, see
        :func:`compute_revision`.
    :param replaceable: the paths of the resources that may be replaced or
        removed. They include the resources inside these resources.
    :param unknown_stacks: the paths of nested stacks in which any resource may
        be replaced or removed.
    :param key_before: the key of the last update before this update, see
        :func:`current_update.update_key`.
    :param is_outdated: whether another update has started first.
    """

    revision: str
    replaceable: tuple
    unknown_stacks: tuple = ()
    key_before: str | None = None
    is_outdated: bool = False


def compute_revision(context, stack_id):
    """Return a digest that changes with each update of a stack tree."""
    tree = stack_tree.select_subtree(_stack, _stack.c.id == stack_id,
                                     _REVISION)
    with db_api.context_manager.reader.independent.using(context) as session:
        rows = sorted(str(tuple(row))
                      for row in session.execute(sqlalchemy.select(tree)))
    return hashlib.sha256('\n'.join(rows).encode()).hexdigest()


def attach(updated, plan):
    """Attach a :class:`ReviewedPlan` to the stack with the new template."""
    object_data.of_stack(updated).reviewed_plan = plan


def is_attached(updated):
    return object_data.of_stack(updated).reviewed_plan is not None


def reject_outdated(stack, updated, notify):
    """Reject an update of the legacy engine if its plan is outdated.

    :param notify: Heat's NotifyEvent, which unblocks the caller.
    :returns: whether another update has started since the check of the plan.
        With convergence, the first write of the update fails in this case.
    """
    plan = object_data.of_stack(updated).reviewed_plan
    if plan is None or plan.revision == compute_revision(stack.context,
                                                         stack.id):
        return False
    object_data.of_stack(stack).reviewed_plan = dataclasses.replace(
        plan, is_outdated=True)
    # Heat can write the state when it releases the lock of the stack.
    row = stack_object.Stack.get_by_id(stack.context, stack.id)
    stack.action, stack.status = row.action, row.status
    stack.status_reason = row.status_reason
    notify.signal()
    return True


def move(stack, updated):
    """Move a plan to the current stack, before its update starts."""
    object_data.of_stack(stack).reviewed_plan = dataclasses.replace(
        object_data.of_stack(updated).reviewed_plan,
        key_before=current_update.update_key(stack))


def is_superseded(stack):
    """Return whether another update has started in place of a planned one."""
    plan = object_data.of_stack(stack).reviewed_plan
    return plan is not None and (stack.convergence or plan.is_outdated)


def record_after_store(stack):
    """Store the plan with the first write of its update."""
    data = object_data.of_stack(stack)
    plan = data.reviewed_plan
    if plan is None or stack.status != stack.IN_PROGRESS:
        return
    key = current_update.update_key(stack)
    if key != plan.key_before:
        data.reviewed_plan = None
        baseline.record_once(stack.context, stack.id, baseline.REVIEWED_PLAN,
                             key, lambda: [plan.replaceable,
                                           plan.unknown_stacks])


def find_refusal(resource, act):
    """Return why a reviewed plan forbids an act, or None.

    :param act: one of the actions of :mod:`change`.
    """
    if act not in _WOULD:
        return None
    stack = resource.stack
    update = current_update.find_update(stack.context, stack.id)
    if not update.is_in_progress or update.action != current_update.UPDATE:
        return None
    reviewed = baseline.read_state(
        stack.context, update.stack_id, baseline.REVIEWED_PLAN, update.key)
    names = (*update.path, resource.name)
    paths = ['/'.join(names[:end]) for end in range(1, len(names) + 1)]
    if reviewed is None:
        return None
    replaceable, unknown_stacks = reviewed
    if {*paths} & {*replaceable} or {*paths[:-1]} & {*unknown_stacks}:
        return None
    return (f'Not done: resource {"/".join(names)} ({resource.type()}) would '
            f'be {_WOULD[act]}, but the reviewed plan does not contain this '
            f'change. {_REMEDY}')
