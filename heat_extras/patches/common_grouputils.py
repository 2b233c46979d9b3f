# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.common.grouputils`: the members of a group."""

from heat_extras.health import service
from heat_extras.heat_internals import last_applied
from heat_extras import monkey_patch

EXTENDS = 'heat.common.grouputils'


@monkey_patch.wrap('(group, include_failed=False)',
                   why='with convergence, Heat reads the members from the '
                       'template of the failed update, which may lack them')
def get_member_definitions(original, group, include_failed=False):
    return last_applied.correct_members(
        group, original(group, include_failed=include_failed), include_failed)


@monkey_patch.wrap('(group, include_failed=False)',
                   why='scaling groups count their members with this function',
                   feature='health')
def get_size(original, group, include_failed=False):
    if include_failed:
        return original(group, include_failed=True)
    return service.count_members(group)


@monkey_patch.extends('heat.common.grouputils:GroupInspector')
class GroupInspectorMixin:

    @monkey_patch.wrap('(self)', why='a group keeps its newest members, also '
                                     'those that were never created')
    def _get_member_data(self, original):
        return last_applied.put_never_created_first(
            self._context, self._identity, original())

    @monkey_patch.wrap('(self, include_failed)',
                       why='without a desired capacity, a group removes the '
                           'members that a policy protected')
    def size(self, original, include_failed):
        size = original(include_failed)
        return size if include_failed else (
            size + last_applied.count_failed_updates(
                self._context, self._identity, self._get_member_data()))
