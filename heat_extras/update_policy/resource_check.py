# SPDX-License-Identifier: Apache-2.0

"""The check of a resource when its update comes to it.

It catches what the plan could not know: a replacement that a resource asks
for in the middle of its update, a value that came out of another resource,
what a rollback or a group decides by itself. A rollback may do what only
undoes, see :mod:`rollback_check`.
"""

import functools

from heat.common import exception as heat_exception

from heat_extras.db import charset
from heat_extras.db import counters
from heat_extras.db import counting
from heat_extras.update_plan import change
from heat_extras.update_plan import resource_plan
from heat_extras.update_plan import resource_rows
from heat_extras.update_policy import errors
from heat_extras.update_policy import inherited_policy
from heat_extras.update_policy import messages
from heat_extras.update_policy import policy_flag
from heat_extras.update_policy import rollback_check

# The guard of a resource that is updated now is kept there.
_GUARD = 'heat_extras_guard'


class _Guard:
    """The policy of one resource during one update.

    :param definition: whose policy is enforced: the new one.
    """

    def __init__(self, resource, definition):
        self._resource, self._definition = resource, definition
        # Its state changes during the update.
        self._is_in_place = _is_in_place_of_another(resource)
        self.is_needed = self._is_in_place or not _was_never_created(resource)

    def refusal(self, act):
        """Return why an act is forbidden, or None when it is allowed."""
        resource = self._resource
        baseline = rollback_check.find_baseline(resource.stack)
        if self._is_undone(baseline, act):
            return None
        said = baseline.allow_kept(resource.id, self._definition, resource.t)
        return _find_refusal(
            resource, act, baseline, said,
            resource_plan.HAS_PREDECESSOR if self._is_in_place else None)

    def _is_undone(self, baseline, act):
        row_id = self._resource.id
        return (baseline.is_new(row_id) and not self._is_in_place) or (
            act == change.UPDATE
            and baseline.restores(row_id, self._definition))

    def check(self, act):
        """Raise an error that Heat handles like its restricted_actions.

        :raises UpdatePolicyRestricted:
        """
        text = self.refusal(act)
        if text is not None:
            raise _make_counted_error(self._resource, text)

    def fail(self, act):
        """Reject a forbidden act where Heat has no handling of its own.

        :raises ResourceFailure: after an event; the resource's state stays.
        """
        _fail_resource(self._resource, self.refusal(act))

    def watch(self):
        """Check the resource's decision before it is carried out."""
        self._resource._needs_update = functools.partial(
            self._needs_update, self._resource._needs_update)

    def unwatch(self):
        del self._resource._needs_update

    def _needs_update(self, original, after, before, after_props,
                      before_props, *args, **kwargs):
        try:
            needed = original(after, before, after_props, before_props,
                              *args, **kwargs)
            # What Resource.update would find out when it has begun.
            if needed and resource_plan.is_changed(
                    self._resource, after, before, after_props, before_props):
                self.check(change.UPDATE)
        except heat_exception.UpdateReplace:
            self.check(change.REPLACE)
            raise
        return needed


def update_resource(resource, definition, run):
    """Update a resource, and check each act before it is carried out.

    :param run: Heat's own function, which makes a task.
    :raises ResourceFailure: when its policy forbids a replacement.
    """
    guard = _make_guard(resource, definition)
    if guard is None:
        yield from run()
        return
    guard.watch()
    setattr(resource, _GUARD, guard)
    try:
        yield from run()
    except heat_exception.UpdateReplace:
        guard.fail(change.REPLACE)
        raise
    finally:
        delattr(resource, _GUARD)
        guard.unwatch()


def may_be_replaced(resource):
    """Return whether the update in progress may replace a resource."""
    guard = getattr(resource, _GUARD, None)
    return guard is None or guard.refusal(change.REPLACE) is None


def check_replacement(resource, definition):
    """Reject to replace a protected resource.

    :param definition: the one that it would get.
    :raises ResourceFailure: when the policy in it forbids that.
    """
    guard = _make_guard(resource, definition)
    if guard is not None:
        guard.fail(change.REPLACE)


def check_removal(resource, stack):
    """Reject to remove a protected resource from its stack.

    In a rollback what was said of it before the failed update is enforced.

    :param stack: the stack as it is to become.
    :raises ResourceFailure: when its policy forbids it, as the template of
        the stack says it, or else as last applied.
    """
    now = resource.stack
    if (not _may_have_policy(now) or resource.action == resource.INIT
            or now.action not in (now.UPDATE, now.RESTORE, now.ROLLBACK)
            or resource.name in stack.defn.enabled_rsrc_names()
            or _was_never_created(resource)):
        return
    baseline = rollback_check.find_baseline(now)
    if baseline.is_new(resource.id):
        return
    _fail_resource(resource, _find_refusal(
        resource, change.REMOVE, baseline,
        baseline.allow_removed(resource, stack.defn)))


def _make_guard(resource, definition):
    if not _may_have_policy(resource.stack):
        return None
    guard = _Guard(resource, definition)
    return guard if guard.is_needed else None


def _may_have_policy(stack):
    return not policy_flag.is_loaded(stack) or policy_flag.get_flag(
        stack) is not False


def _find_refusal(resource, act, baseline, said, why_act=None):
    """Return why an act is forbidden, or None when it is allowed.

    Heat stores it with the resource.

    :param said: the :class:`rules.Allow` of the resource.
    :param why_act: why Heat would do it, if that is known.
    """
    inherited = inherited_policy.compute_policy(resource.stack)
    path, kind = inherited.path_of(resource.name), resource.type()
    by = inherited.restrict(resource.name, said).forbids(act)
    reason = None
    if by is not None:
        reason = messages.describe_forbidden(path, kind, act, by, why_act)
    elif act != change.UPDATE:
        guarded = inherited_policy.find_guarded_in(resource, path, baseline)
        reason = guarded and messages.describe_guarded_inside(
            path, kind, act, guarded)
    if reason is None:
        return None
    if baseline.is_rollback:
        return charset.storable(
            'Not done: a rollback can only restore what was there before the '
            f'failed update: {reason}')
    # What the update loses is held to what was said before.
    remedy = (messages.BY_NO_RESTORE if by is not None
              and act != change.REMOVE else messages.BY_TWO_UPDATES)
    return charset.storable(f'Not done: {reason}. {remedy}')


def _fail_resource(resource, text):
    if text is None:
        return
    error = _make_counted_error(resource, text)
    resource._add_event(resource.UPDATE, resource.FAILED, text)
    raise heat_exception.ResourceFailure(error, resource, resource.UPDATE)


def _make_counted_error(resource, text):
    counting.count_event(resource.stack.id, counters.POLICY, counters.RESOURCE,
                         resource.context)
    return errors.UpdatePolicyRestricted(message=text)


def _was_never_created(resource):
    return resource_rows.was_never_created(
        resource.action, resource.status, resource.resource_id)


def _is_in_place_of_another(resource):
    # Only convergence has both in one stack.
    if not (resource.stack.convergence and _was_never_created(resource)):
        return False
    rows = (resource.stack.db_active_resources_get() or {}).values()
    row, = (each for each in rows if each.id == resource.id)
    return resource_rows.is_in_place_of_another(
        row, [each for each in rows if each.name == row.name])
