# SPDX-License-Identifier: Apache-2.0

"""Check a resource when an update reaches it.

It finds changes that are not known in advance: a replacement that a resource
requests during its update, a value that depends on another resource, and
decisions of rollbacks and groups. For changes that a rollback may undo, see
:mod:`rollback_check`.
"""

import functools

from heat.common import exception as heat_exception
from heat.engine.resources import stack_resource

from heat_extras.db import charset
from heat_extras.db import counter_writes
from heat_extras.db import counters
from heat_extras import guard
from heat_extras.heat_internals import object_data
from heat_extras.heat_internals import resource_rows
from heat_extras.plan import change
from heat_extras.plan import resource_plan
from heat_extras.plan import reviewed_plan
from heat_extras.update_policy import errors
from heat_extras.update_policy import inherited_policy
from heat_extras.update_policy import rollback_check
from heat_extras.update_policy import rules


class _Guard:
    """The policy of one resource during one update.

    :param definition: the new definition, whose policy is enforced.
    """

    def __init__(self, resource, definition):
        self._resource, self._definition = resource, definition
        # Its state changes during the update.
        self._is_in_place = _is_in_place_of_another(resource)
        self.is_needed = self._is_in_place or not _was_never_created(resource)

    def refusal(self, act):
        """Return why an act is forbidden, or None if it is allowed."""
        resource = self._resource
        baseline = rollback_check.find_baseline(resource.stack)
        if self._is_undone(baseline, act):
            return None
        allowed = baseline.allow_kept(resource.id, self._definition,
                                      resource.t)
        return _find_refusal(
            resource, act, baseline, allowed,
            resource_plan.HAS_PREDECESSOR if self._is_in_place else None)

    def _is_undone(self, baseline, act):
        row_id = self._resource.id
        return (baseline.is_new(row_id) and not self._is_in_place) or (
            act == change.UPDATE
            and baseline.restores(row_id, self._definition))

    def check(self, act):
        """Raise an error that Heat handles like its restricted_actions.

        :raises UpdatePolicyRestricted: if the act is forbidden.
        """
        text = self.refusal(act)
        if text is not None:
            raise _make_counted_error(self._resource, text)

    def fail(self, act):
        """Raise an error for an act without restricted_actions in Heat.

        :raises ResourceFailure: if the act is forbidden. Before that, an event
            is added. The state of the resource does not change.
        """
        _fail_resource(self._resource, self.refusal(act))

    def _is_restricted(self):
        return any(map(self.refusal, (change.UPDATE, change.REPLACE)))

    def watch(self):
        """Check the resource's own decision before it takes effect."""
        self._resource._needs_update = functools.partial(
            self._needs_update, self._resource._needs_update)

    def unwatch(self):
        del self._resource._needs_update

    def _needs_update(self, original, after, before, after_props,
                      before_props, *args, **kwargs):
        try:
            needed = original(after, before, after_props, before_props,
                              *args, **kwargs)
            # Resource.update would find it out only after it has started. The
            # comparison can send requests, so it comes last.
            if needed and self._is_restricted() and resource_plan.is_changed(
                    self._resource, after, before, after_props, before_props):
                self.check(change.UPDATE)
        except heat_exception.UpdateReplace:
            self.check(change.REPLACE)
            raise
        return needed


def update_resource(resource, definition, run):
    """Update a resource, and check each act before it takes effect.

    :param run: Heat's own function, which makes a task.
    :raises ResourceFailure: if the policy forbids a replacement.
    """
    guard = _make_guard(resource, definition)
    if guard is None:
        yield from run()
        return
    guard.watch()
    object_data.of_resource(resource).policy = guard
    try:
        yield from run()
    except heat_exception.UpdateReplace:
        guard.fail(change.REPLACE)
        raise
    finally:
        object_data.of_resource(resource).policy = None
        guard.unwatch()


def may_be_replaced(resource):
    """Return whether the update in progress may replace a resource."""
    guard = object_data.of_resource(resource).policy
    return guard is None or guard.refusal(change.REPLACE) is None


def check_replacement(resource, definition):
    """Reject the replacement of a protected resource.

    :param definition: the new definition.
    :raises ResourceFailure: if the policy of the new definition forbids it.
    """
    guard = _make_guard(resource, definition)
    if guard is not None:
        guard.fail(change.REPLACE)


def check_removal(resource, stack):
    """Reject the removal of a protected resource from its stack.

    In a rollback, its policy before the failed update is enforced.

    :param stack: the stack with the new template.
    :raises ResourceFailure: if the policy forbids it. The policy in the new
        template counts, or else the last applied policy.
    """
    now = resource.stack
    if (not _may_have_policy(now) or resource.action == resource.INIT
            or now.action not in (now.UPDATE, now.RESTORE, now.ROLLBACK)
            or resource.name in stack.defn.enabled_rsrc_names()
            # Resources in a nested stack can be complete if others failed.
            or (_was_never_created(resource)
                and not (isinstance(resource, stack_resource.StackResource)
                         and resource.resource_id))):
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
    data = object_data.of_stack(stack)
    return not data.is_flag_loaded or data.has_policy is not False


def _find_refusal(resource, act, baseline, allowed, why_act=None):
    """Return why an act is forbidden, or None if it is allowed.

    Heat stores the text as status reason of the resource.

    :param allowed: the :class:`rules.Allow` of the resource.
    :param why_act: why Heat would change the resource, if known.
    """
    refusal = reviewed_plan.find_refusal(resource, act)
    if refusal is not None:
        return charset.storable(refusal)
    inherited = inherited_policy.compute_policy(resource.stack)
    path, kind = inherited.path_of(resource.name), resource.type()
    by = inherited.restrict(resource.name, allowed).forbids(act)
    reason = None
    if by is not None:
        reason = rules.describe_forbidden(path, kind, act, by, why_act)
    elif act != change.UPDATE:
        guarded = inherited_policy.find_guarded_in(resource, path, baseline)
        reason = guarded and rules.describe_guarded_inside(
            path, kind, act, guarded)
    if reason is None:
        return None
    if baseline.is_rollback:
        return charset.storable(
            'Not done: a rollback can only restore the resources from before '
            f'the failed update. Reason: {reason}')
    return charset.storable(
        f'Not done: {reason}. {_choose_remedy(resource, act, by)}')


def _choose_remedy(resource, act, by):
    if isinstance(by, guard.ResourceProtection):
        return rules.how_to_allow(by)
    # For a resource that the update destroys, the previous policy counts.
    if by is not None and act != change.REMOVE:
        return rules.BY_NO_RESTORE
    return rules.choose_two_updates(resource_rows.is_marked(resource))


def _fail_resource(resource, text):
    if text is None:
        return
    error = _make_counted_error(resource, text)
    resource._add_event(resource.UPDATE, resource.FAILED, text)
    raise heat_exception.ResourceFailure(error, resource, resource.UPDATE)


def _make_counted_error(resource, text):
    counter_writes.count_event(resource.stack.id, counters.POLICY,
                               counters.RESOURCE,
                               resource.context)
    return errors.UpdatePolicyRestricted(message=text)


def _was_never_created(resource):
    return resource_rows.was_never_created(
        resource.action, resource.status, resource.resource_id)


def _is_in_place_of_another(resource):
    # Only convergence has both resources in one stack.
    if not (resource.stack.convergence and _was_never_created(resource)):
        return False
    rows = (resource.stack.db_active_resources_get() or {}).values()
    row, = (each for each in rows if each.id == resource.id)
    return resource_rows.is_in_place_of_another(
        row, [each for each in rows if each.name == row.name])
