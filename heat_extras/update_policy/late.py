# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.


"""The check at the moment of the act, before a resource is touched.

It catches what the plan could not know: a replacement that a resource asks
for in the middle of its update, a value that came out of another resource,
what a rollback or a group decides by itself.
"""

import functools

from heat.common import exception as heat_exception
from heat.engine.resources import stack_resource

from heat_extras.db import charset
from heat_extras.update_policy import acts
from heat_extras.update_policy import ancestry
from heat_extras.update_policy import exception
from heat_extras.update_policy import inside
from heat_extras.update_policy import rules
from heat_extras.update_policy import summary
from heat_extras.update_policy import words


class Guard:
    """The policy of one resource during one update.

    :param definition: whose policy holds: the new one.
    :param prev_resource: the backup that a legacy rollback has.
    """

    def __init__(self, resource, definition, prev_resource=None):
        self._resource = resource
        self._above = ancestry.of(resource.stack)
        self._policy = self._above.of(resource.name, definition)
        self._is_new = _came_with_this_update(resource, prev_resource)
        self.is_idle = self._is_new or (
            self._policy.is_free and not self._has_something_inside())

    def _has_something_inside(self):
        return (isinstance(self._resource, stack_resource.StackResource)
                and summary.of(self._resource.stack) is True)

    def refusal_text(self, act):
        """Return why an act is forbidden, or None when it is allowed.

        Heat stores it with the resource.
        """
        return charset.storable(self._refusal_text(act))

    def _refusal_text(self, act):
        if self.is_idle or (act == rules.CHANGE and _is_rollback(
                self._resource.stack)):
            return None
        resource = self._resource
        path, kind = self._above.name_of(resource.name), resource.type()
        by = self._policy.forbids(act)
        if by is not None:
            return 'Not done: ' + words.forbidden(path, kind, act, by)
        guarded = (None if act == rules.CHANGE
                   else inside.first_guarded_in(resource, path))
        if guarded is not None:
            return 'Not done: ' + words.guarded_inside(
                path, kind, act, guarded, guarded)
        return None

    def check(self, act):
        """Let Heat handle a forbidden act like a restricted one.

        :raises UpdatePolicyRestricted: see :mod:`exception`.
        """
        text = self.refusal_text(act)
        if text is not None:
            raise exception.UpdatePolicyRestricted(message=text)

    def fail(self, act):
        """Refuse a forbidden act where Heat has no handling of its own.

        :raises ResourceFailure: after an event; the resource's state stays.
        """
        text = self.refusal_text(act)
        if text is not None:
            resource = self._resource
            error = exception.UpdatePolicyRestricted(message=text)
            resource._add_event(resource.UPDATE, resource.FAILED, text)
            raise heat_exception.ResourceFailure(error, resource,
                                                 resource.UPDATE)

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
            if needed and acts.is_changed(self._resource, after, before,
                                          after_props, before_props):
                self.check(rules.CHANGE)
        except heat_exception.UpdateReplace:
            self.check(rules.RECREATE)
            raise
        return needed


def is_needed(stack):
    """Tell whether resources of a stack are to be checked at all."""
    return not summary.is_loaded(stack) or summary.of(stack) is not False


def check_removal(resource):
    """Refuse to remove a protected resource from its stack.

    :raises ResourceFailure: when its policy, as last applied, forbids it.
    """
    stack = resource.stack
    if stack.action not in (stack.UPDATE, stack.RESTORE):
        return
    if (resource.action, resource.status) == (resource.CREATE,
                                              resource.FAILED):
        return
    Guard(resource, resource.t).fail(rules.REMOVE)


def _is_rollback(stack):
    return stack.action == stack.ROLLBACK


def _came_with_this_update(resource, prev_resource):
    """Tell whether a resource may go, because it came just now.

    A rollback destroys what the failed update created, and only that; and
    what was never completed is nothing to protect.
    """
    if (resource.action, resource.status) == (resource.CREATE,
                                              resource.FAILED):
        return True
    if not _is_rollback(resource.stack):
        return False
    if resource.stack.convergence:
        return resource.replaces is not None
    return prev_resource is not None and (
        prev_resource.action, prev_resource.status) not in (
            (prev_resource.INIT, prev_resource.COMPLETE),
            (prev_resource.DELETE, prev_resource.COMPLETE))
