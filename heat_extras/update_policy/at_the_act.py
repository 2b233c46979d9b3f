# SPDX-License-Identifier: Apache-2.0

"""The check at the moment of the act, before a resource is touched.

It catches what the plan could not know: a replacement that a resource asks
for in the middle of its update, a value that came out of another resource,
what a rollback or a group decides by itself. A rollback may do what only
undoes, see :mod:`undo`.
"""

import functools

from heat.common import exception as heat_exception
from heat.engine.resources import stack_resource

from heat_extras.db import charset
from heat_extras.db import counters
from heat_extras.db import counting
from heat_extras.update_plan import change
from heat_extras.update_plan import resource_plan
from heat_extras.update_plan import resource_rows
from heat_extras.update_policy import allow
from heat_extras.update_policy import ancestry
from heat_extras.update_policy import descendants
from heat_extras.update_policy import errors
from heat_extras.update_policy import summary
from heat_extras.update_policy import temporary
from heat_extras.update_policy import undo as undoing
from heat_extras.update_policy import words

# The guard of a resource that is updated now is kept there.
_GUARD = 'heat_extras_guard'


class Guard:
    """The policy of one resource during one update.

    :param definition: whose policy holds: the new one.
    :param said: what the template says, where it is not in the definition.
    """

    def __init__(self, resource, definition, said=None):
        self._resource = resource
        self._definition = definition
        self._above = ancestry.of(resource.stack)
        self._policy = self._above.holding(
            resource.name, allow.of(definition) if said is None else said)
        self.is_idle = (
            self._policy.is_free and not self._has_something_inside()
            and not self._may_be_in_a_rollback())
        self._takes_a_place = (not self.is_idle
                               and _is_in_place_of_another(resource))
        self.is_idle = self.is_idle or (_never_was(resource)
                                        and not self._takes_a_place)

    def _has_something_inside(self):
        return (isinstance(self._resource, stack_resource.StackResource)
                and summary.of(self._resource.stack) is True)

    def _may_be_in_a_rollback(self):
        # There what was said before counts, too. A nested stack is not told.
        stack = self._resource.stack
        return stack.owner_id is not None or stack.action == stack.ROLLBACK

    def refusal_text(self, act):
        """Return why an act is forbidden, or None when it is allowed.

        Heat stores it with the resource.
        """
        return charset.storable(self._refusal_text(act))

    def _refusal_text(self, act):
        if self.is_idle:
            return None
        undo = undoing.of(self._resource.stack)
        if undo is None:
            by = self._policy.forbids(act)
            reason = self._reason(act, by)
            # What the update loses is held to what was said before.
            return reason and words.not_done(
                reason, by is not None and act != change.REMOVE)
        if self._is_undone(undo, act):
            return None
        resource = self._resource
        policy = self._above.holding(resource.name, undo.allow_both(
            resource.id, self._definition, resource.t))
        reason = self._reason(act, policy.forbids(act), undo)
        return reason and words.NOT_UNDONE + reason

    def removal_text(self):
        """Return why the resource must not be removed, or None.

        In a rollback what was said of it before the update holds.
        """
        return charset.storable(self._removal_text())

    def _removal_text(self):
        resource = self._resource
        undo = undoing.of(resource.stack)
        if undo is None:
            if temporary.is_of_this_update(resource.stack, resource.id):
                return None
            return self._refusal_text(change.REMOVE)
        if _never_was(resource) or undo.has_come(resource.id):
            return None
        policy = self._above.holding(resource.name, undo.allow(
            resource.id, self._definition))
        reason = self._reason(change.REMOVE, policy.forbids(change.REMOVE),
                              undo)
        return reason and words.NOT_UNDONE + reason

    def _is_undone(self, undo, act):
        row_id = self._resource.id
        return (undo.has_come(row_id) and not self._takes_a_place) or (
            act == change.UPDATE
            and undo.gives_back(row_id, self._definition))

    def _reason(self, act, by, undo=None):
        resource = self._resource
        path, kind = self._above.name_of(resource.name), resource.type()
        if by is not None:
            return words.forbidden(path, kind, act, by)
        guarded = (None if act == change.UPDATE
                   else descendants.first_guarded_in(resource, path, undo))
        return guarded and words.guarded_inside(path, kind, act, guarded,
                                                guarded)

    def check(self, act):
        """Let Heat handle a forbidden act like a restricted one.

        :raises UpdatePolicyRestricted: see :mod:`exception`.
        """
        text = self.refusal_text(act)
        if text is not None:
            raise _refusal(self._resource, text)

    def fail(self, act):
        """Refuse a forbidden act where Heat has no handling of its own.

        :raises ResourceFailure: after an event; the resource's state stays.
        """
        _fail(self._resource, self.refusal_text(act))

    def fail_removal(self):
        """Refuse to remove the resource from its stack, likewise.

        :raises ResourceFailure: after an event; the resource's state stays.
        """
        _fail(self._resource, self.removal_text())

    def watch(self):
        """Look at the resource's decision before it is carried out."""
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


def is_needed(stack):
    """Return whether resources of a stack are to be checked at all."""
    return not summary.is_loaded(stack) or summary.of(stack) is not False


def update(resource, definition, run):
    """Update a resource, and look at each act before it is carried out.

    :param run: Heat's own way to do it, which makes a task.
    :raises ResourceFailure: when its policy forbids a replacement.
    """
    guard = _guard(resource, definition)
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
    """Return whether an update that is under way may replace a resource."""
    guard = getattr(resource, _GUARD, None)
    return guard is None or guard.refusal_text(change.REPLACE) is None


def check_replacement(resource, definition):
    """Refuse to replace a protected resource.

    :param definition: the one that it would get.
    :raises ResourceFailure: when the policy in it forbids that.
    """
    guard = _guard(resource, definition)
    if guard is not None:
        guard.fail(change.REPLACE)


def _guard(resource, definition):
    if not is_needed(resource.stack):
        return None
    guard = Guard(resource, definition)
    return None if guard.is_idle else guard


def check_removal(resource, stack):
    """Refuse to remove a protected resource from its stack.

    :param stack: the stack as it is to become.
    :raises ResourceFailure: when its policy forbids it, as the template of
        the stack says it, or else as last applied.
    """
    now = resource.stack
    if (is_needed(now) and resource.action != resource.INIT
            and now.action in (now.UPDATE, now.RESTORE, now.ROLLBACK)
            and resource.name not in stack.defn.enabled_rsrc_names()):
        Guard(resource, resource.t, descendants.said_of_removed(
            None, resource, resource.t, stack.defn)).fail_removal()


def _fail(resource, text):
    if text is None:
        return
    error = _refusal(resource, text)
    resource._add_event(resource.UPDATE, resource.FAILED, text)
    raise heat_exception.ResourceFailure(error, resource, resource.UPDATE)


def _refusal(resource, text):
    counting.count(resource.stack.id, counters.POLICY, counters.RESOURCE,
                   resource.context)
    return errors.UpdatePolicyRestricted(message=text)


def _never_was(resource):
    return resource_rows.never_was(resource.action, resource.status,
                                   resource.resource_id)


def _is_in_place_of_another(resource):
    # Only convergence has both in one stack.
    if not (resource.stack.convergence and _never_was(resource)):
        return False
    rows = (resource.stack.db_active_resources_get() or {}).values()
    row, = (each for each in rows if each.id == resource.id)
    return resource_rows.is_in_place_of_another(
        row, [each for each in rows if each.name == row.name])
