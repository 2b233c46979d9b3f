# SPDX-License-Identifier: Apache-2.0

"""Protect and release the physical resources of a tree.

These are not only what ``Stack.resources`` has, one resource for each name in
the stack's template. An update that failed leaves what it has replaced or
removed behind, under the template that it was made from; Heat deletes it with
the next update. A legacy stack has such resources in its backup stack, which
is in the tree like any nested one.
"""

import functools

from heat.common import context as heat_context
from heat.engine.resources import stack_resource
from heat.engine import stack as heat_stack
from heat.objects import resource as resource_object
from oslo_config import cfg
from oslo_log import log as logging

from heat_extras import sanitize
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock.resource_locks import events
from heat_extras.stack_lock.resource_locks import handler_api
from heat_extras.stack_lock.resource_locks import operation_token
from heat_extras.stack_lock.resource_locks import protection_table
from heat_extras.stack_lock.resource_locks import report
from heat_extras.stack_lock.resource_locks import states
from heat_extras.stack_lock.resource_locks import thread_pool
from heat_extras.stack_lock import states as lock_states

LOG = logging.getLogger(__name__)

FREE = 'not_protected'
UNKNOWN = 'not_known'


def dry_run(context, root_id, stack_ids):
    """Say what a lock of level ``all`` would protect; nothing is changed.

    :returns: a :class:`report.Report`, where ``protected`` means: would be.
    """
    resources, stacks = load_resources(context, stack_ids)
    settled, free = _check(resources, protection_table.read_tree(
        context, root_id))
    would_be = dict.fromkeys(free, (states.PROTECTED, None))
    return report.Report(
        {resource: (states.shown(state), reason) for resource,
         (state, reason) in {**settled, **would_be}.items()}, stacks)


def protect(token, stack_ids, level):
    """Protect what is not protected yet; every resource is tried.

    :param token: a :class:`operation_token.Token`.
    :returns: a :class:`report.Report`; the table holds the same.
    :raises Superseded: when the token is not valid any more.
    """
    resources, stacks = load_resources(token.context, stack_ids)
    settled, free = _check(resources, protection_table.read_tree(
        token.context, token.root_id))
    asked = [*(resource for resource, (state, _) in settled.items()
               if state != states.NO_API), *free]
    # Written before the services are called: a crash leaves no lock behind
    # that no row records.
    protection_table.write(
        token, {**settled, **dict.fromkeys(free, (states.LOCKING, None))},
        events.start_events(lock_states.LOCK, asked, free))
    answers = thread_pool.call_each(free, functools.partial(
        _call, token, stacks, lambda resource: _lock(resource, level), True))
    locked = {resource: report.state_after_lock(resource, answer)
              for resource, answer in answers.items()}
    results = {**settled, **locked}
    protection_table.write(token, locked, events.end_events(
        lock_states.LOCK, {resource: results[resource] for resource in asked}))
    return report.Report(results, stacks)


def release(token):
    """Release what locks of this tree protect; every resource is tried.

    :param token: a :class:`operation_token.Token`.
    :returns: a :class:`report.Report`; the rows of released resources are
        deleted, unless the API shows them.
    :raises Superseded: when the token is not valid any more.
    """
    rows, resources, stacks = _load_rows(
        token.context, token.root_id, states.OWN,
        use_stored_context=not token.has_credentials)
    protection_table.mark_releasing(
        token, events.start_events(lock_states.UNLOCK, resources, resources))
    answers = thread_pool.call_each(resources, functools.partial(
        _call, token, stacks,
        lambda resource: _unlock(resource, rows[resource.id].state), False))
    results = {resource: report.state_after_unlock(
        resource, answer, not token.has_credentials)
               for resource, answer in answers.items()}
    is_shown = (cfg.CONF.heat_extras.status_overlay
                == lock_record.OVERLAY_FULL)
    # Whether what failed is still protected is not known, so it stays ours.
    kept = {resource: (states.LOCKING if state == states.FAILED
                       else states.RELEASED, reason)
            for resource, (state, reason) in results.items()
            if is_shown or state == states.FAILED}
    protection_table.write(token, kept, events.end_events(
        lock_states.UNLOCK, results), list(rows))
    return report.Report(results, stacks)


def verify(root_id):
    """Ask the services about what a tree's lock protects or found protected.

    With the credentials that Heat keeps for each stack; nothing is changed.

    :returns: a sorted list of (stack name, stack id, resource name, type,
        physical id, what the table has, what the service has, why).
    """
    # What somebody else has locked may have been released since.
    rows, resources, stacks = _load_rows(
        heat_context.get_admin_context(), root_id,
        (*states.KNOWN, states.FOUND), use_stored_context=True)
    answers = thread_pool.call_each(
        [resource for resource in resources if _can_find(resource)], _find)
    return sorted(
        (resource.stack.name, resource.stack.id, resource.name,
         resource.type(), resource.resource_id,
         states.shown(rows[resource.id].state),
         *_verified(resource, rows[resource.id], answers))
        for resource in resources)


def _verified(resource, row, answers):
    if resource in answers:
        state, reason = report.state_of_found(
            resource, answers[resource], row.state in states.KNOWN,
            is_stored=True) or (FREE, None)
    else:
        state = row.state
        reason = 'recorded state: its plugin cannot be queried'
    is_unknown = state in (states.LOCKING, states.FAILED)
    return (UNKNOWN if is_unknown else state, reason or '')


def load_resources(context, stack_ids, **how):
    """Load all physical resources of some stacks.

    Nested stacks are left out: they are locked as stacks.

    :param how: more arguments of heat.engine.stack.Stack.load.
    :returns: the resources; and the stacks and the definitions that these were
        made from, since the resources hold both by weak references only
        (heat.engine.resource.Resource.load).
    """
    resources, stacks = [], []
    for stack_id in stack_ids:
        stack = heat_stack.Stack.load(context, stack_id=stack_id, **how)
        definitions = {}
        stacks += [stack, definitions]
        resources += _resources(stack, definitions)
    return resources, stacks


def _resources(stack, definitions):
    rows = resource_object.Resource.get_all_active_by_stack(
        stack.context, stack.id)
    for id in sorted(rows):
        if rows[id].physical_resource_id is None:
            continue
        resource = stack._resource_from_db_resource(rows[id], definitions)
        if (resource is not None
                and not isinstance(resource, stack_resource.StackResource)):
            yield resource


def _load_rows(context, root_id, row_states, **how):
    rows = {id: row for id, row in protection_table.read_tree(
        context, root_id).items() if row.state in row_states}
    stack_ids = {row.stack_id for row in rows.values()}
    resources, stacks = load_resources(context, stack_ids, **how)
    return rows, [resource for resource in resources
                  if resource.id in rows], stacks


def _check(resources, rows):
    # Returns what is settled, and the resources that are free to be locked.
    settled, asked, free = {}, [], []
    for resource in resources:
        row = rows.get(resource.id)
        if not callable(getattr(resource, 'handle_lock', None)):
            settled[resource] = (
                states.NO_API, f'{resource.type()} has no lock API')
        elif (not _can_find(resource) and row is not None
                and row.state == states.PROTECTED):
            settled[resource] = (row.state, row.reason)
        else:
            asked.append(resource)
    for resource, answer in thread_pool.call_each(asked, _find).items():
        row = rows.get(resource.id)
        known = report.state_of_found(
            resource, answer, row is not None and row.state in states.KNOWN)
        if known is None:
            free.append(resource)
        else:
            settled[resource] = known
    return settled, free


def _can_find(resource):
    return callable(getattr(resource, 'find_lock', None))


def _find(resource):
    # None: it is free, or its plugin cannot be asked.
    return resource.find_lock() if _can_find(resource) else None


def _call(token, stacks, function, is_protected, resource):
    # Also after thread_pool.call_each has stopped waiting for the answer. That
    # thread keeps the stacks, which resources hold by weak references.
    token.check()
    try:
        return function(resource)
    finally:
        if token.is_superseded():
            _reconcile_late(token, resource, is_protected)


def _reconcile_late(token, resource, is_protected):
    """Undo a call that came too late, unless the current lock requires it.

    :param is_protected: whether the call has protected the resource.
    """
    is_wanted = operation_token.is_protection_wanted(token, resource.id,
                                                     is_protected)
    if is_wanted == is_protected:
        return
    about = {'type': resource.type(), 'stack': resource.stack.name,
             'name': sanitize.printable(resource.name),
             'id': sanitize.printable(resource.resource_id),
             'verb': 'protected' if is_wanted else 'released'}
    LOG.warning('%(type)s %(name)s (%(id)s) of stack %(stack)s is %(verb)s: a '
                'call of a superseded lock operation came too late', about)
    try:
        # The service was in trouble, or the call would not have come so late.
        thread_pool.with_retries(resource, functools.partial(
            _protect_or_release, is_wanted))
    except Exception:
        LOG.exception('%(type)s %(name)s (%(id)s) of stack %(stack)s could '
                      'not be %(verb)s: do that in its service', about)


def _protect_or_release(is_wanted, resource):
    if not is_wanted:
        _unlock(resource, states.LOCKING)
    # A newer lock of this tree can have protected it already, and some
    # services would add a second lock.
    elif _find(resource) is None:
        _lock(resource, lock_states.ALL)


def _lock(resource, level):
    try:
        result = resource.handle_lock(level)
        thread_pool.wait_until_complete(
            getattr(resource, 'check_lock_complete', None), result)
    except (handler_api.NoLockAPI, handler_api.LockedByOthers):
        raise
    except BaseException:
        # The service may have done it all the same.
        _, is_own = _find(resource) or (None, False)
        if not is_own:
            raise


def _unlock(resource, state):
    note = _note_of_others(resource, state)
    if note is None:
        thread_pool.wait_until_complete(
            getattr(resource, 'check_unlock_complete', None),
            resource.handle_unlock())
    handler_api.delete_lock_id(resource)
    return note


def _note_of_others(resource, state):
    # Returns None when a lock of this tree is there to be released.
    if not _can_find(resource):
        return None
    found = resource.find_lock()
    if found is None:
        return (report.RELEASED_BY_OTHER if state == states.PROTECTED
                else 'was not protected')
    _, is_own = found
    return None if is_own else report.PROTECTED_BY_OTHER
