# SPDX-License-Identifier: Apache-2.0

"""Protect and release the physical resources of a tree."""

import functools

from oslo_config import cfg

from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock.resource_locks import events
from heat_extras.stack_lock.resource_locks import handler_api
from heat_extras.stack_lock.resource_locks import messages
from heat_extras.stack_lock.resource_locks import operation_token
from heat_extras.stack_lock.resource_locks import physical_resources
from heat_extras.stack_lock.resource_locks import protection_table
from heat_extras.stack_lock.resource_locks import report
from heat_extras.stack_lock.resource_locks import states
from heat_extras.stack_lock.resource_locks import thread_pool
from heat_extras.stack_lock import states as lock_states


def look(context, root_id, stack_ids):
    """Say what a lock of level ``all`` would find; nothing is changed.

    :returns: a :class:`report.Report`, where ``protected`` means: would be.
    """
    found = physical_resources.load(context, stack_ids)
    settled, free = _look(found.resources, protection_table.of_tree(context,
                                                                    root_id))
    would_be = dict.fromkeys(free, (states.PROTECTED, None))
    shown = {resource: (states.shown(state), reason) for resource,
             (state, reason) in {**settled, **would_be}.items()}
    return report.Report(shown, found.stacks)


def protect(token, stack_ids, level):
    """Protect what is not protected yet; everything is tried.

    :param token: a :class:`operation_token.Token`.
    :returns: a :class:`report.Report`; the table holds the same.
    :raises Superseded: when the lock was taken away.
    """
    found = physical_resources.load(token.context, stack_ids)
    settled, free = _look(found.resources, protection_table.of_tree(
        token.context, token.root_id))
    asked = [*(resource for resource, (state, _) in settled.items()
               if state != states.NO_API), *free]
    # Written before the services are asked: a crash leaves no lock behind
    # that nobody knows of.
    protection_table.write(
        token, {**settled, **dict.fromkeys(free, (states.LOCKING, None))},
        events.start(lock_states.LOCK, asked, free))
    locked = _lock_all(token, found.stacks, free, level)
    results = {**settled, **locked}
    protection_table.write(token, locked, events.end(
        lock_states.LOCK, {resource: results[resource] for resource in asked}))
    return report.Report(results, found.stacks)


def release(token):
    """Lift what we set in the services; everything is tried.

    :param token: a :class:`operation_token.Token`.
    :returns: a :class:`report.Report`; the rows of what is lifted are gone,
        unless the API shows them.
    :raises Superseded: when the unlock was taken away.
    """
    rows, stacks, ours = _to_lift(token)
    protection_table.mark_asked(
        token, events.start(lock_states.UNLOCK, ours, ours))
    lifted = _lift(token, rows, stacks, ours)
    is_shown = (cfg.CONF.heat_extras.status_overlay
                == lock_record.OVERLAY_FULL)
    # Whether what failed is still protected is not known, so it stays ours.
    kept = {resource: (states.LOCKING if state == states.FAILED
                       else states.RELEASED, reason)
            for resource, (state, reason) in lifted.results.items()
            if is_shown or state == states.FAILED}
    protection_table.write(token, kept, events.end(
        lock_states.UNLOCK, lifted.results), list(rows))
    return lifted


def lift(token):
    """Lift what we set in the services, and leave the rows as they are.

    Whether the tree was taken away meanwhile is for the caller to check: what
    was released must be known to whoever puts it back.

    :returns: a :class:`report.Report`.
    """
    return _lift(token, *_to_lift(token))


def put_back(token, lifted):
    """Protect again what :func:`lift` has released.

    :param lifted: its answer. The rows tell it already; only what fails is
        written.
    """
    released = [resource for resource, (state, note) in lifted.results.items()
                if state is None and note is None]
    results = _lock_all(token, lifted.stacks, released, lock_states.ALL)
    protection_table.write(token, {
        resource: (state, reason)
        for resource, (state, reason) in results.items()
        if state != states.PROTECTED})


def _lock_all(token, stacks, resources, level):
    answers = thread_pool.run(resources, functools.partial(
        _while_valid, token, stacks,
        lambda resource: _lock(resource, level), True))
    return {resource: report.judge_lock(resource, answer)
            for resource, answer in answers.items()}


def _to_lift(token):
    return _noted(token.context, token.root_id, states.OURS,
                  use_stored_context=not token.has_credentials)


def _lift(token, rows, stacks, ours):
    answers = thread_pool.run(ours, functools.partial(
        _while_valid, token, stacks,
        lambda resource: _unlock(resource, rows[resource.id].state), False))
    return report.Report(
        {resource: report.judge_unlock(resource, answer,
                                       not token.has_credentials)
         for resource, answer in answers.items()}, stacks)


def inspect(context, root_id, known=states.OURS):
    """Ask the services about all resources that the table has as ours.

    With the stacks' stored credentials; nothing is changed.

    :param known: the states of the rows of the table that are checked.
    :returns: a :class:`report.Report` of what is so now: ``protected``,
        ``found_protected`` (somebody else's), None (free), and what could
        not be asked as ``locking``.
    """
    rows, stacks, ours = _noted(context, root_id, known,
                                use_stored_context=True)
    results = {resource: (rows[resource.id].state,
                          'as noted: its plugin cannot be asked')
               for resource in ours if not _can_look(resource)}
    asked = [resource for resource in ours if _can_look(resource)]
    results.update(
        (resource, report.judge_look(
            resource, found, rows[resource.id].state in states.KNOWN,
            is_stored=True) or (None, None))
        for resource, found in thread_pool.run(asked, _find).items())
    return report.Report(results, stacks)


def _noted(context, root_id, known, **how):
    rows = {id: row for id, row in protection_table.of_tree(context,
                                                            root_id).items()
            if row.state in known}
    found = physical_resources.load(context,
                                    {row.stack_id for row in rows.values()},
                                    **how)
    return rows, found.stacks, [resource for resource in found.resources
                                if resource.id in rows]


def _look(resources, rows):
    # Returns what is settled, and the resources that are free to be locked.
    settled, asked = {}, []
    for resource in resources:
        row = rows.get(resource.id)
        if not callable(getattr(resource, 'handle_lock', None)):
            settled[resource] = (
                states.NO_API, f'{resource.type()} has no lock API')
        elif (not _can_look(resource) and row is not None
                and row.state == states.PROTECTED):
            settled[resource] = (row.state, row.reason)
        else:
            asked.append(resource)
    free = []
    for resource, found in thread_pool.run(asked, _find).items():
        row = rows.get(resource.id)
        is_known = row is not None and row.state in states.KNOWN
        known = report.judge_look(resource, found, is_known)
        if known is None:
            free.append(resource)
        else:
            settled[resource] = known
    return settled, free


def _can_look(resource):
    return callable(getattr(resource, 'find_lock', None))


def _find(resource):
    # None: free, or nobody can look.
    if not _can_look(resource):
        return None
    found = resource.find_lock()
    if found is None:
        return None
    if isinstance(found, handler_api.Found):
        return (found.text, found.is_own)
    ask = getattr(resource, 'is_own_lock', None)
    return (found, ask is None or ask())


def _while_valid(token, stacks, act, is_protected, resource):
    # Also when nobody waits for the answer any more: see runner.run. That
    # thread keeps the stacks, which resources hold by weak references.
    token.check()
    try:
        answer = act(resource)
    except Exception as error:
        if not thread_pool.is_refusal(error):
            _reconcile_if_late(token, resource, is_protected)
        raise
    _reconcile_if_late(token, resource, is_protected)
    return answer


def _reconcile_if_late(token, resource, is_protected):
    if token.is_superseded():
        operation_token.reconcile_late_call(token, resource, is_protected,
                                            _change_late)


def _change_late(resource, is_wanted):
    # The service was in trouble, or the call would not have come too late.
    return thread_pool.with_retries(resource, functools.partial(
        _change, is_wanted))


def _change(is_wanted, resource):
    # Returns whether somebody else protects it.
    if not is_wanted:
        return _unlock(resource, states.LOCKING) == messages.TAKEN
    # A lock of this tree can have been faster: some services would add one.
    found = _find(resource)
    if found is None:
        _lock(resource, lock_states.ALL)
    return found is not None and not found[1]


def _lock(resource, level):
    try:
        result = resource.handle_lock(level)
        thread_pool.until_complete(
            getattr(resource, 'check_lock_complete', None), result)
    except (handler_api.NoLockAPI, handler_api.LockedByOthers):
        raise
    except BaseException:
        # Did it get through all the same?
        found = _find(resource)
        if found is None or not found[1]:
            raise


def _unlock(resource, state):
    note = _what_others_did(resource, state)
    if note is None:
        thread_pool.until_complete(
            getattr(resource, 'check_unlock_complete', None),
            resource.handle_unlock())
    handler_api.forget(resource)
    return note


def _what_others_did(resource, state):
    # Returns None when there is something of ours to be lifted.
    if not _can_look(resource):
        return None
    found = _find(resource)
    if found is None:
        return (messages.LIFTED if state == states.PROTECTED
                else messages.NEVER)
    return None if found[1] else messages.TAKEN
