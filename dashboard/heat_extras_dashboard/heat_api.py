# SPDX-License-Identifier: Apache-2.0

"""Requests to Heat with the token of the user."""

from heat_dashboard import api
from heat_extras.client import managers
from openstack_dashboard.api import base

# The default of max_nested_stack_depth in heat.conf.
DEPTH = 5


class Lock:
    """A lock of the list, with the attributes of its stack."""

    def __init__(self, fields):
        self.id = fields['stack_id']
        self.stack_name = fields['stack_name']
        self.project = fields['project']
        self.lock_id = fields['id']
        self.lock_level = fields['level']
        self.lock_status = fields['status']
        self.lock_reason = fields['reason']
        self.locked_by = fields['locked_by']
        self.locked_at = fields['locked_at']
        self.lock_expires_at = fields['expires_at']
        self.lock_pass = fields['pass']


class Guard(base.APIDictWrapper):
    """A guard of a stack. Its number is its ID in the table."""

    _attrs = ('kind', 'stack_id', 'stack_name', 'name', 'stops', 'set_by',
              'set_at', 'reason', 'lifted_by', 'how_to_lift')

    def __init__(self, fields, number):
        super().__init__(fields)
        self.id = str(number)

    @property
    def expires_at(self):
        return self._apidict.get('expires_at')

    @property
    def may_stop(self):
        return self._apidict.get('may_stop')


def lock_manager(request):
    """Return the manager that sends the actions of locks."""
    return managers.LockManager(api.heat.heatclient(request))


def stack_identity(stack):
    """Return name and ID of a stack, with a slash between.

    With the ID alone, heatclient would first request the name.
    """
    return f'{stack.stack_name}/{stack.id}'


def has_lock_fields(stack):
    """Return whether the Heat of a stack has stack locks."""
    return hasattr(stack, managers.LOCK_LEVEL)


def list_locks(request, size, **filters):
    """List one page of locks.

    :param size: the number of locks on a page
    :param filters: as for heat_extras.client.managers.LockManager.list_locks
    :returns: the locks, and whether there is another page
    """
    locks = list(lock_manager(request).list_locks(limit=size + 1, **filters))
    return [Lock(each) for each in locks[:size]], len(locks) > size


def preview_update(request, identity, fields):
    """Preview an update.

    :param identity: name and ID of the stack with a slash between.
    :param fields: the body of the update.
    :returns: the lists of the preview, or None if this Heat cannot plan
        updates.
    """
    answer = api.heat.heatclient(request).stacks.preview_update(
        identity, **fields)
    if 'resource_changes' not in (answer or ()):
        raise managers.InvalidAnswer('no resource_changes')
    changes = answer['resource_changes']
    return changes if 'plan' in changes else None


def update_stack(request, identity, password, fields):
    """Start an update.

    :param identity: as for :func:`preview_update`.
    :param password: for the stack's deferred operations, or None.
    :param fields: the body of the update.
    """
    api.heat.heatclient(request, password).stacks.update(identity, **fields)


def list_stacks(request):
    """List the root stacks of the project, up to API_RESULT_LIMIT."""
    return api.heat.stacks_list(request)[0]


def list_guards(request, stack):
    """List the guards of a stack and of its nested stacks."""
    guards = managers.GuardManager(api.heat.heatclient(request)).list(
        stack_identity(stack), nested=True)
    return [Guard(each, number) for number, each in enumerate(guards)]


def list_ignored_signals(request, stack):
    """List the events of signals that the lock of a stack has ignored.

    While a stack is locked, Heat records the first signal of each resource.
    """
    events = api.heat.heatclient(request).events.list(
        stack_identity(stack), nested_depth=DEPTH,
        filters={'resource_action': 'SIGNAL'})
    since = stack.locked_at
    return [each for each in events if each.event_time >= since]


def list_unprotected_resources(request, stack):
    """List the resources that a lock of level all could not protect."""
    resources = api.heat.heatclient(request).resources.list(
        stack_identity(stack), nested_depth=DEPTH)
    return [each for each in resources
            if getattr(each, 'lock_protection', None) == 'failed']
