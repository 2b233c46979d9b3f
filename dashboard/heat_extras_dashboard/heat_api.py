# SPDX-License-Identifier: Apache-2.0

"""Heat, as somebody who is logged in to Horizon reaches it."""

from heat_dashboard import api
from heat_extras.client import managers
from openstack_dashboard.api import base

# As deep as Heat itself lists resources (max_nested_stack_depth).
DEPTH = 5


class Lock:
    """A lock of the list, with the attributes of the stack that it holds."""

    def __init__(self, found):
        self.id = found['stack_id']
        self.stack_name = found['stack_name']
        self.project = found['project']
        self.lock_id = found['id']
        self.lock_level = found['level']
        self.lock_status = found['status']
        self.lock_reason = found['reason']
        self.locked_by = found['locked_by']
        self.locked_at = found['locked_at']
        self.lock_expires_at = found['expires_at']
        self.lock_pass = found['pass']


class Guard(base.APIDictWrapper):
    """A guard of a stack; they have no id."""

    _attrs = ('kind', 'stack_id', 'stack_name', 'name', 'stops', 'set_by',
              'set_at', 'reason', 'lifted_by', 'how_to_lift')

    def __init__(self, found, number):
        super().__init__(found)
        self.id = str(number)

    @property
    def expires_at(self):
        return self._apidict.get('expires_at')

    @property
    def may_stop(self):
        return self._apidict.get('may_stop')


def lock_manager(request):
    """Return what speaks the actions of locks."""
    return managers.LockManager(api.heat.heatclient(request))


def stack_identity(stack):
    """Name a stack so that Heat need not be asked for its name."""
    return f'{stack.stack_name}/{stack.id}'


def has_lock_fields(stack):
    """Return whether a stack comes from a Heat with heat-extras."""
    return hasattr(stack, managers.LOCK_LEVEL)


def list_locks(request, size, **filters):
    """List one page of locks.

    :param size: of the page
    :param filters: as for heat_extras.client.managers.LockManager.list_locks
    :returns: the locks, and whether there are more
    """
    found = list(lock_manager(request).list_locks(limit=size + 1, **filters))
    return [Lock(each) for each in found[:size]], len(found) > size


def preview_update(request, identity, fields):
    """Preview an update.

    :param identity: name and ID of the stack with a slash between.
    :param fields: the body of the update.
    :returns: the lists ``plan`` and ``plan_stops``, or None if this Heat
        cannot plan updates.
    """
    answer = api.heat.heatclient(request).stacks.preview_update(
        identity, **fields)
    if 'resource_changes' not in (answer or ()):
        raise managers.InvalidAnswer('no resource_changes')
    changes = answer['resource_changes']
    if 'plan' not in changes:
        return None
    return changes['plan'], changes['plan_stops']


def list_stacks(request):
    """List the root stacks of the project, as many as Horizon asks for."""
    return api.heat.stacks_list(request)[0]


def list_guards(request, stack):
    """List what protects a stack."""
    found = managers.GuardManager(api.heat.heatclient(request)).list(
        stack_identity(stack), nested=True)
    return [Guard(each, number) for number, each in enumerate(found)]


def list_ignored_signals(request, stack):
    """List the resources whose signals its lock has ignored, by their events.

    Heat tells the first signal of each resource while a lock holds.
    """
    found = api.heat.heatclient(request).events.list(
        stack_identity(stack), nested_depth=DEPTH,
        filters={'resource_action': 'SIGNAL'})
    since = stack.locked_at
    return [each for each in found if each.event_time >= since]


def list_unprotected_resources(request, stack):
    """List the resources that a lock of level all could not protect."""
    found = api.heat.heatclient(request).resources.list(
        stack_identity(stack), nested_depth=DEPTH)
    return [each for each in found
            if getattr(each, 'lock_protection', None) == 'failed']
