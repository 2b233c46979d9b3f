# SPDX-License-Identifier: Apache-2.0

"""Refuse an update before it starts, and leave the stack usable."""

import copy

from heat.common import exception
from heat.objects import raw_template
from heat.objects import resource as resource_object
from oslo_log import log as logging

from heat_extras.db import counters
from heat_extras.db import counting
from heat_extras.db import retries
from heat_extras.heat_internals import final_status
from heat_extras.update_plan import stack_plan
from heat_extras.update_policy import ancestry
from heat_extras.update_policy import plan
from heat_extras.update_policy import summary
from heat_extras.update_policy import undo as undoing
from heat_extras.update_policy import words

LOG = logging.getLogger(__name__)


_PLANNED = ('UPDATE', 'RESTORE')


def refuses(stack, action, new_stack, template, notify=None):
    """Refuse an operation that a policy forbids.

    :param template: the new one, as it is handed to Heat.
    :param notify: Heat's NotifyEvent, which lets the caller go on.
    :returns: whether it is refused, and the stack FAILED.
    :raises StackValidationFailed: as :func:`refuse`.
    """
    if action not in _PLANNED:
        return False
    # Its new template, or one that is nested in it, guards something.
    setattr(stack, summary.MENTIONS,
            getattr(new_stack, summary.MENTIONS, False))
    reason = refusal(stack, new_stack, action)
    if reason is None:
        return False
    counting.count(stack.id, counters.POLICY, action.lower(), stack.context)
    try:
        refuse(stack, action, template, reason)
    finally:
        if notify is not None:
            notify.signal()
    return True


def refusal(stack, new_stack, action):
    """Return why an update is refused, or None.

    :param stack: the stack as it is, from the database.
    :param new_stack: what it is to be.
    """
    found = problems(stack, new_stack)
    if not found:
        return None
    is_part = _is_part_of_an_update(stack)
    return words.refusal(
        [problem.text for problem in found],
        _remedy(stack, action, is_part, found),
        not is_part, stack.name, action.lower())


def _remedy(stack, action, is_part, found):
    forbidden = [problem for problem in found if problem.act is not None]
    if action == stack.RESTORE:
        return (words.BY_NO_RESTORE if forbidden
                else words.NO_CONTRARY_SNAPSHOT)
    if not forbidden:
        # Of two policies that contradict each other, one has to go.
        return None
    if any(problem.is_marked for problem in forbidden):
        return words.BY_RESET
    is_at_once = all(problem.is_allowed_at_once for problem in forbidden)
    if is_part or stack.owner_id is None:
        return words.BY_UPDATE if is_at_once else words.BY_TWO_UPDATES
    # By its own id, or by a signal, which brings no template.
    return words.BY_ROOT if is_at_once else words.BY_ROOT_FIRST


def problems(stack, new_stack):
    """List the :class:`plan.Problem` of an update; never an error.

    What cannot be planned is left to the check at the moment of the act.
    """
    if not _is_guarded(stack, new_stack):
        return []
    try:
        planned = stack_plan.plan_update(stack, new_stack)
        is_part = _is_part_of_an_update(stack)
        return plan.problems(
            planned, ancestry.look(planned.stack), is_whole=not is_part,
            undo=undoing.of(planned.stack) if is_part else None)
    except Exception:
        LOG.exception('The update of stack %(name)s (%(id)s) cannot be '
                      'planned; its resources are checked one by one',
                      {'name': stack.name, 'id': stack.id})
        return []


def _is_guarded(stack, new_stack):
    if not summary.is_loaded(stack) or stack.id is None:
        return False
    known = summary.of(stack)
    if known is None:
        known = summary.look(stack.context, stack.id)
        setattr(stack, summary.ATTRIBUTE, known)
    return (known or summary.mentions(new_stack.t)
            or getattr(new_stack, summary.MENTIONS, False))


def _is_part_of_an_update(stack):
    # Then what is below was planned with the stack around it.
    if stack.owner_id is None:
        return False
    try:
        parent = resource_object.Resource.get_by_name_and_stack(
            stack.context, stack.parent_resource_name, stack.owner_id)
    except exception.NotFound:
        return False
    return parent is not None and parent.status == 'IN_PROGRESS'


def refuse(stack, action, new_template, reason):
    """Mark a stack FAILED, and nothing else.

    :raises StackValidationFailed: when the stack is being worked on; then
        nothing is written at all.
    """
    if stack.status == stack.IN_PROGRESS:
        raise exception.StackValidationFailed(message=reason)
    final_status.write(stack.state_set, action, stack.FAILED, reason)
    if not stack.convergence and stack.prev_raw_template_id is None:
        # Heat bases the next PATCH of a FAILED stack on it
        # (EngineService._prepare_stack_updates).
        kept = copy.deepcopy(stack.t)
        stack.prev_raw_template_id = kept.store(stack.context)
        stack.store()
    if new_template.id is not None and new_template.id != stack.t.id:
        # The parent stored it for this update (StackResource._stack_kwargs).
        retries.on_db_error(raw_template.RawTemplate.delete)(
            stack.context, new_template.id)
