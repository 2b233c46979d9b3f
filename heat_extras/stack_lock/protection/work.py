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

"""Protect and release the physical resources of a tree."""

import dataclasses

from heat.engine.resources import stack_resource
from heat.engine import stack as heat_stack

from heat_extras.stack_lock.protection import plugin
from heat_extras.stack_lock.protection import runner
from heat_extras.stack_lock.protection import states
from heat_extras.stack_lock.protection import table


@dataclasses.dataclass
class Report:
    """What became of the resources of a tree.

    :param results: a dict from resource to (state, reason), for every
        resource that was asked about.
    :param stacks: those of the resources, which hold them by weak
        references only (heat.engine.resource.Resource.stack).
    """

    results: dict
    stacks: list

    def failed(self):
        """List ``name: reason`` of the resources that failed."""
        return [f'{resource.name} of stack {resource.stack.name}: {reason}'
                for resource, (state, reason) in self.results.items()
                if state == states.FAILED]


def _load(context, stack_ids):
    return [heat_stack.Stack.load(context, stack_id=stack_id)
            for stack_id in stack_ids]


def _resources(stacks):
    # Physical ones; what is nested is locked as a stack.
    return [resource for stack in stacks
            for resource in stack.resources.values()
            if resource.id is not None and resource.resource_id is not None
            and not isinstance(resource, stack_resource.StackResource)]


def look(context, root_id, stack_ids):
    """Say what a lock of level ``all`` would find; nothing is changed.

    :returns: a :class:`Report`, where ``protected`` means: would be.
    """
    stacks = _load(context, stack_ids)
    settled, free = _look(stacks, table.of_tree(context, root_id))
    return Report({**settled, **dict.fromkeys(free, (states.PROTECTED,
                                                     None))}, stacks)


def protect(context, root_id, stack_ids, level):
    """Protect what is not protected yet; everything is tried.

    :returns: a :class:`Report`; the table holds the same.
    """
    stacks = _load(context, stack_ids)
    settled, free = _look(stacks, table.of_tree(context, root_id))
    # Written before the services are asked: a crash leaves no lock behind
    # that nobody knows of.
    table.write(context, root_id, {
        **settled, **dict.fromkeys(free, (states.LOCKING, None))})
    outcomes = runner.run(free, lambda resource: _lock(resource, level))
    locked = {resource: _locked(resource, outcome)
              for resource, outcome in outcomes.items()}
    table.write(context, root_id, locked)
    return Report({**settled, **locked}, stacks)


def release(context, root_id):
    """Lift what we set in the services; everything is tried.

    :returns: a :class:`Report`; the rows of what is lifted are gone.
    """
    rows = {key: row for key, row in table.of_tree(context, root_id).items()
            if row.state in states.OURS}
    stacks = _load(context, {key.stack_id for key in rows})
    ours = [resource for resource in _resources(stacks)
            if _key(resource) in rows]
    results = {resource: _released(resource, outcome)
               for resource, outcome in runner.run(ours, _unlock).items()}
    failed = {resource: reason
              for resource, (state, reason) in results.items()
              if state == states.FAILED}
    table.write(context, root_id, {
        resource: (states.PROTECTED, reason)
        for resource, reason in failed.items()})
    kept = {_key(resource) for resource in failed}
    table.forget(context, [key for key in rows if key not in kept])
    return Report(results, stacks)


def _released(resource, outcome):
    if not isinstance(outcome, Exception):
        return (None, outcome)
    if _is_gone(resource, outcome):
        return (None, None)
    return (states.FAILED, _reason(outcome))


def _look(stacks, rows):
    # Returns what is settled, and the resources that are free to be locked.
    settled, asked = {}, []
    for resource in _resources(stacks):
        row = rows.get(_key(resource))
        if row is not None and row.state in states.SETTLED:
            settled[resource] = (row.state, row.reason)
        elif not callable(getattr(resource, 'handle_lock', None)):
            settled[resource] = (
                states.NO_API, f'{resource.type()} has no lock API')
        else:
            asked.append(resource)
    found = {resource: _found(resource, outcome, rows.get(_key(resource)))
             for resource, outcome in runner.run(asked, _find).items()}
    settled.update((resource, result) for resource, result in found.items()
                   if result is not None)
    return settled, [resource for resource, result in found.items()
                     if result is None]


def _found(resource, outcome, row):
    # None: nothing holds it.
    if outcome is None:
        return None
    if isinstance(outcome, Exception):
        return _locked(resource, outcome)
    is_ours = row is not None and row.state in states.OURS
    return (states.PROTECTED, None) if is_ours else (states.FOUND, outcome)


def _locked(resource, outcome):
    if not isinstance(outcome, Exception):
        return (states.PROTECTED, None)
    if _is_gone(resource, outcome):
        return (states.NO_API, 'the physical resource is gone')
    return _failed(outcome)


def _failed(error):
    if isinstance(error, plugin.NoLockAPI):
        return (states.NO_API, str(error))
    return (states.FAILED, _reason(error))


def _reason(error):
    text = ' '.join(str(error).split()) or type(error).__name__
    if runner.code_of(error) in (401, 403):
        return f'needs rights that you lack: {text}'
    return text


def _find(resource):
    find = getattr(resource, 'find_lock', None)
    return None if find is None else find()


def _lock(resource, level):
    try:
        result = resource.handle_lock(level)
        runner.until_complete(
            getattr(resource, 'check_lock_complete', None), result)
    except plugin.NoLockAPI:
        raise
    except Exception:
        # Did it get through all the same?
        if getattr(resource, 'find_lock', None) is None or not _find(
                resource):
            raise


def _unlock(resource):
    if (getattr(resource, 'find_lock', None) is not None
            and resource.find_lock() is None):
        return 'was lifted by somebody else meanwhile'
    result = resource.handle_unlock()
    runner.until_complete(
        getattr(resource, 'check_unlock_complete', None), result)
    return None


def _is_gone(resource, error):
    return resource._default_client_plugin().is_not_found(error)


def _key(resource):
    return table.Key(resource.stack.id, resource.name)
