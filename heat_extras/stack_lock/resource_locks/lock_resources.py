# SPDX-License-Identifier: Apache-2.0

"""Protect and release the physical resources of a tree.

``Stack.resources`` has only one resource for each name in the stack's
template. After a failed update, replaced and removed resources can remain,
with the template of their creation. Heat deletes them with the next update. A
legacy stack has such resources in its backup stack, which is in the tree like
any nested stack.
"""

import functools

from heat.common import context as heat_context
from heat.engine.resources import stack_resource
from heat.engine import stack as heat_stack
from heat.objects import resource as resource_object
from heat.objects import stack as stack_object
from oslo_config import cfg
from oslo_log import log as logging

from heat_extras.db import models
from heat_extras import guard
from heat_extras.heat_internals import guarded_stacks
from heat_extras.heat_internals import object_data
from heat_extras.heat_internals import rpc_errors
from heat_extras import sanitize
from heat_extras.stack_lock import events
from heat_extras.stack_lock import guard_row
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock.resource_locks import handler_api
from heat_extras.stack_lock.resource_locks import handlers
from heat_extras.stack_lock.resource_locks import report
from heat_extras.stack_lock.resource_locks import resource_states
from heat_extras.stack_lock.resource_locks import resource_table
from heat_extras.stack_lock.resource_locks import thread_pool
from heat_extras.stack_lock import states

LOG = logging.getLogger(__name__)

FREE = 'not_protected'
UNKNOWN = 'not_known'


def dry_run(context, root_id, stack_ids):
    """List the resources that a lock of level ``all`` would protect.

    :returns: a :class:`report.Report`, in which ``protected`` resources would
        be protected.
    """
    resources, stacks = load_resources(context, stack_ids)
    settled, free = _classify(resources, resource_table.read_tree(
        context, root_id))
    would_be = dict.fromkeys(free, (resource_states.PROTECTED, None))
    return report.Report(
        {resource: (resource_states.shown(state), reason) for resource,
         (state, reason) in {**settled, **would_be}.items()}, stacks)


def find_deletion_stops(context, tree):
    """Find the resources that services protect for somebody else.

    :param tree: a heat_extras.heat_internals.guarded_stacks.Tree.
    :returns: a dict from resource ID to :class:`heat_extras.guard.Stop`.
    """
    # Without the resources that cannot be loaded.
    resources, stacks = load_resources(context, tree.ids, failures={})
    rows = resource_table.read_tree(
        context, guarded_stacks.read_root(context, tree.stack).id)
    answers = thread_pool.call_each(
        list(filter(_can_find_lock, resources)), _find_lock)
    stops = {}
    for resource, answer in answers.items():
        row = rows.get(resource.id)
        state, reason = report.state_from_lock(
            resource, answer, row is not None
            and row.state in resource_states.KNOWN) or (None, None)
        is_found = state == resource_states.FOUND
        # A service that does not answer may reject the deletion.
        if is_found or resource_states.shown(state) == resource_states.FAILED:
            # Some services let administrators delete it.
            stops[resource.id] = guard.Stop(
                'resource_lock', reason, is_before_start=False,
                is_certain=is_found and not context.is_admin)
    return stops


def protect(token, stack_ids, level):
    """Protect all unprotected resources, and continue after errors.

    :param token: a :class:`resource_table.Token`.
    :returns: a :class:`report.Report`, which is also written to the table.
    :raises Superseded: if the token is no longer valid.
    """
    resources, stacks = load_resources(token.context, stack_ids)
    settled, free = _classify(resources, resource_table.read_tree(
        token.context, token.root_id))
    lockable = [*(resource for resource, (state, _) in settled.items()
                  if state != resource_states.NO_API), *free]
    # Write the rows before the services are called, so that after a crash
    # each lock in a service has a row.
    resource_table.replace_rows(
        token,
        {**settled, **dict.fromkeys(free, (resource_states.LOCKING, None))},
        events.resource_start_events(states.LOCK, lockable, free))
    answers = thread_pool.call_each(free, functools.partial(
        _call_handler, token, stacks,
        lambda resource: _lock_resource(resource, level), True))
    locked = {resource: report.state_after_lock(resource, answer)
              for resource, answer in answers.items()}
    results = {**settled, **locked}
    resource_table.replace_rows(token, locked, events.resource_end_events(
        states.LOCK,
        {resource: results[resource] for resource in lockable}))
    return report.Report(results, stacks)


def release(token):
    """Release all resources of a tree's locks, and continue after errors.

    Delete the rows of released resources, unless the API shows them.

    :param token: a :class:`resource_table.Token`.
    :returns: a :class:`report.Report`.
    :raises Superseded: if the token is no longer valid.
    """
    rows, resources, stacks = _load_rows(
        token.context, token.root_id, resource_states.OWN,
        use_stored_context=not token.has_credentials)
    resource_table.mark_releasing(token, events.resource_start_events(
        states.UNLOCK, resources, resources))
    answers = thread_pool.call_each(resources, functools.partial(
        _call_handler, token, stacks,
        lambda resource: _release_resource(resource, rows[resource.id].state),
        False))
    results = {resource: report.state_after_unlock(
        resource, answer, not token.has_credentials)
               for resource, answer in answers.items()}
    is_shown = (cfg.CONF.heat_extras.status_overlay
                == lock_record.OVERLAY_FULL)
    # A failed resource might still be protected, so keep its row.
    kept = {resource: (resource_states.LOCKING
                       if state == resource_states.FAILED
                       else resource_states.RELEASED, reason)
            for resource, (state, reason) in results.items()
            if is_shown or state == resource_states.FAILED}
    resource_table.replace_rows(token, kept, events.resource_end_events(
        states.UNLOCK, results), list(rows))
    return report.Report(results, stacks)


def verify(root_id):
    """Query the services for the resources in a tree's lock, without a change.

    Use the credentials that Heat stores for each stack.

    If a resource or stack cannot be loaded, for example without the plugin of
    a resource type, the actual state is not known.

    :returns: a sorted list of (stack name, stack ID, resource name, type,
        physical ID, recorded state, actual state, reason).
    """
    # Include resources that were protected before the lock, because another
    # user might have released them since.
    context, failures = heat_context.get_admin_context(), {}
    rows, resources, stacks = _load_rows(
        context, root_id, (*resource_states.KNOWN, resource_states.FOUND),
        failures, use_stored_context=True)
    answers = thread_pool.call_each(
        [resource for resource in resources if _can_find_lock(resource)],
        _find_lock)
    found = {resource.id: _actual_state(resource, rows[resource.id], answers)
             for resource in resources}
    found.update({id: (UNKNOWN, failures[each]) for id, row in rows.items()
                  for each in (id, row.stack_id) if each in failures})
    return sorted(
        (_stack_name(context, row), row.stack_id, row.resource_name,
         row.resource_type, row.physical_resource_id,
         resource_states.shown(row.state), *found[id])
        for id, row in rows.items() if id in found)


def _stack_name(context, row):
    # A stack that cannot be loaded has a name, too.
    return stack_object.Stack.get_by_id(
        context, row.stack_id, show_deleted=True).name


def _actual_state(resource, row, answers):
    if resource in answers:
        state, reason = report.state_from_lock(
            resource, answers[resource], row.state in resource_states.KNOWN,
            is_stored=True) or (FREE, None)
    else:
        state = row.state
        reason = ('the recorded state, because the lock handler of this type '
                  'cannot query the service')
    is_unknown = state in (resource_states.LOCKING, resource_states.FAILED)
    return (UNKNOWN if is_unknown else state, reason or '')


def load_resources(context, stack_ids, failures=None, **options):
    """Load all physical resources of some stacks.

    Nested stacks are left out, because they are locked as stacks.

    :param failures: a dict to fill with the reasons, by ID, why resources or
        stacks could not be loaded. Without it, this is an error.
    :param options: further arguments of heat.engine.stack.Stack.load.
    :returns: the resources, and their stacks and definitions. The resources
        have only weak references to these
        (heat.engine.resource.Resource.load).
    """
    resources, stacks = [], []
    guards = guard_row.read_all(context, list(stack_ids))
    for stack_id in stack_ids:
        try:
            stack = heat_stack.Stack.load(context, stack_id=stack_id,
                                          **options)
            # Handlers use the reason and the rank.
            object_data.of_stack(stack).lock = guards[stack_id].get(
                models.LOCK)
        except Exception as error:
            _record_failure(failures, stack_id, error)
            continue
        definitions = {}
        stacks += [stack, definitions]
        if failures is not None:
            _load_template_resources(stack)
        resources += _resources(stack, definitions, failures)
    return resources, stacks


def _load_template_resources(stack):
    # If the type of one resource is unknown, Heat loads none of them. Without
    # them, _resource_from_db_resource loads each resource by itself.
    try:
        _ = stack.resources
    except Exception:
        stack._resources = {}


def _resources(stack, definitions, failures):
    rows = resource_object.Resource.get_all_active_by_stack(
        stack.context, stack.id)
    for id in sorted(rows):
        if rows[id].physical_resource_id is None:
            continue
        try:
            resource = stack._resource_from_db_resource(rows[id], definitions)
        except Exception as error:
            _record_failure(failures, id, error)
            continue
        if (resource is not None
                and not isinstance(resource, stack_resource.StackResource)):
            yield resource


def _record_failure(failures, id, error):
    if failures is None:
        raise error
    failures[id] = 'could not be loaded on this host: ' + (
        rpc_errors.message_of(error, 'list-locks'))


def _load_rows(context, root_id, row_states, failures=None, **options):
    rows = {id: row for id, row in resource_table.read_tree(
        context, root_id).items() if row.state in row_states}
    stack_ids = {row.stack_id for row in rows.values()}
    resources, stacks = load_resources(context, stack_ids, failures, **options)
    return rows, [resource for resource in resources
                  if resource.id in rows], stacks


def _classify(resources, rows):
    # Return the states of settled resources, and the resources to lock.
    settled, queried, free = {}, [], []
    for resource in resources:
        row = rows.get(resource.id)
        if handlers.find_method(resource, 'handle_lock') is None:
            settled[resource] = (
                resource_states.NO_API, f'{resource.type()} has no lock API')
        elif (not _can_find_lock(resource) and row is not None
                and row.state == resource_states.PROTECTED):
            settled[resource] = (row.state, row.reason)
        else:
            queried.append(resource)
    for resource, answer in thread_pool.call_each(queried,
                                                  _find_lock).items():
        row = rows.get(resource.id)
        known = report.state_from_lock(
            resource, answer,
            row is not None and row.state in resource_states.KNOWN)
        if known is None:
            free.append(resource)
        else:
            settled[resource] = known
    return settled, free


def _can_find_lock(resource):
    return handlers.find_method(resource, 'find_lock') is not None


def _find_lock(resource):
    # None if it is not locked, or if its plugin cannot be queried.
    find = handlers.find_method(resource, 'find_lock')
    return None if find is None else find()


def _call_handler(token, stacks, function, is_protected, resource):
    # This can continue after thread_pool.call_each has stopped to wait. So the
    # thread has a reference to the stacks, because resources have only weak
    # references.
    token.check()
    try:
        return function(resource)
    finally:
        if token.is_superseded():
            _reconcile_late(token, resource, is_protected)


def _reconcile_late(token, resource, is_protected):
    """Undo a late call, unless the current lock requires it.

    :param is_protected: whether the call has protected the resource.
    """
    is_wanted = resource_table.is_protection_wanted(token, resource.id,
                                                    is_protected)
    if is_wanted == is_protected:
        return
    details = {'type': resource.type(), 'stack': resource.stack.name,
               'name': sanitize.printable(resource.name),
               'id': sanitize.printable(resource.resource_id),
               'verb': 'protected' if is_wanted else 'released'}
    LOG.warning('%(type)s %(name)s (%(id)s) of stack %(stack)s will be '
                '%(verb)s again, because a call of an earlier lock operation '
                'ended too late', details)
    try:
        # With retries, because the service must have been slow.
        thread_pool.with_retries(resource, functools.partial(
            _protect_or_release, is_wanted))
    except Exception:
        LOG.exception('%(type)s %(name)s (%(id)s) of stack %(stack)s could '
                      'not be %(verb)s again. Do this yourself in the service '
                      'of the resource', details)


def _protect_or_release(is_wanted, resource):
    if not is_wanted:
        _release_resource(resource, resource_states.LOCKING)
    # A newer lock of this tree can already have protected it, and some
    # services would add a second lock.
    elif _find_lock(resource) is None:
        _lock_resource(resource, states.ALL)


def _lock_resource(resource, level):
    try:
        result = handlers.find_method(resource, 'handle_lock')(level)
        thread_pool.wait_until_complete(
            handlers.find_method(resource, 'check_lock_complete'), result)
    except (handler_api.NoLockAPI, handler_api.LockedByOthers):
        raise
    except BaseException:
        # The service might have locked it in spite of the error.
        _, is_own = _find_lock(resource) or (None, False)
        if not is_own:
            raise


def _release_resource(resource, state):
    note = _note_of_others(resource, state)
    if note is None:
        thread_pool.wait_until_complete(
            handlers.find_method(resource, 'check_unlock_complete'),
            handlers.find_method(resource, 'handle_unlock')())
    handler_api.delete_lock_id(resource)
    return note


def _note_of_others(resource, state):
    # Return None if a lock of this tree has to be released.
    if not _can_find_lock(resource):
        return None
    service_lock = _find_lock(resource)
    if service_lock is None:
        return (report.RELEASED_BY_OTHER
                if state == resource_states.PROTECTED
                else 'was not protected')
    _, is_own = service_lock
    return None if is_own else report.PROTECTED_BY_OTHER
