# SPDX-License-Identifier: Apache-2.0

"""Reserve racks for an operation, and settle that when it has ended."""

import collections

from heat_extras.lifecycle import public
from heat_extras.plugins import hidden
from heat_extras.plugins.limits import definitions
from heat_extras.plugins.limits import usage
from heat_extras.plugins import origin
from heat_extras.plugins.placement import ledger
from heat_extras.plugins.placement import members
from heat_extras.plugins.placement import planner

_MADE = ('CREATE', 'ADOPT')
_CHANGED = ('UPDATE', 'RESTORE')
_GONE = ('DELETE',)

# How often a plan is made anew because others planned meanwhile.
_ATTEMPTS = 20


def reserve(inventory, context, stack, new_stack, action):
    """Plan for what an operation would make, and write it down.

    A rollback goes back to where resources had their places.

    :raises Denied: when there is no plan.
    """
    if action not in (*_MADE, *_CHANGED):
        return
    operation_id = stack.operation_id
    stack = public.bare(stack)
    after = (public.bare(new_stack) if action in _CHANGED
             and new_stack is not None else stack)
    resources = _resources(after)
    _refuse_hidden(stack, after, members.names(resources))
    wanted = members.read(resources)
    if not wanted:
        return
    root_id = usage.root_of(context, stack.id)
    racks = inventory()
    for _attempt in range(_ATTEMPTS):
        last, rows = ledger.everything(context)
        planned = _plan(wanted, rows, racks, stack.id, root_id)
        if not planned or ledger.write(context, last, [
                {'stack_id': stack.id, 'operation_id': operation_id,
                 'root_id': root_id, **row} for row in planned]):
            return
    raise RuntimeError(f'other engines changed the plan {_ATTEMPTS} times '
                       'meanwhile; try again')


def _refuse_hidden(stack, after, names):
    # The names of groups stand in messages and in the database.
    if not names:
        return
    seen = origin.views(stack, [after, stack])[0]
    for name in names if seen.names else ():
        known = seen.definition(name)
        if known is None or hidden.is_marked(
                known._metadata.get(members.KEY, hidden.MASK)):
            raise public.Denied(
                f'metadata {members.KEY} of resource {name}: found a group '
                'whose name could have the value of a hidden parameter in '
                'it, wanted one that is made of literals and of parameters '
                'that are not hidden')


def _resources(stack):
    return [(name, definitions.types(stack.env, resource.t.resource_type,
                                     name), resource.t.metadata())
            for name, resource in stack.resources.items()]


def _plan(wanted, rows, racks, stack_id, root_id):
    kinds = {member.name: members.kind_of(member, racks)
             for member in wanted}
    groups = {member.name: member.group for member in wanted}
    mine = [row for row in rows if row.stack_id == stack_id]
    kept = {row.resource_name: row.rack for row in mine
            if not row.operation_id
            and groups.get(row.resource_name) == row.group_name
            and kinds[row.resource_name] == row.resource_type}
    others = [(row.group_name, row.rack) for row in rows
              if row.root_id == root_id and row.stack_id != stack_id]
    try:
        found = planner.plan(members.groups(wanted, kept, others, racks),
                             _free(racks, rows))
    except planner.Impossible as error:
        raise public.Denied(str(error)) from error
    return [{'resource_name': name, 'group_name': groups[name],
             'resource_type': kinds[name], 'rack': rack}
            for name, rack in found.items()]


def _free(racks, rows):
    used = collections.Counter((row.rack, row.resource_type) for row in rows)
    return {rack: {kind: count - used[rack, kind]
                   for kind, count in capacity.items()}
            for rack, capacity in racks.items()}


def settle(context, stack, new_stack, action, is_failure):
    """Release the plan of a failed operation, and keep a good one."""
    if is_failure:
        ledger.release(context, stack.id, stack.operation_id)
    elif action in _GONE:
        ledger.drop(context, stack.id)
    elif action in (*_MADE, *_CHANGED, 'ROLLBACK'):
        after = public.bare(stack if new_stack is None else new_stack)
        ledger.keep(context, stack.id, stack.operation_id,
                    members.names(_resources(after)))
