# SPDX-License-Identifier: Apache-2.0

"""``update_policy.allow`` as guards."""

from heat.db import models
from heat.engine import stack as heat_stack
import sqlalchemy

from heat_extras import guard
from heat_extras.heat_internals import guard_tree
from heat_extras.update_policy import allow
from heat_extras.update_policy import inherited_policy
from heat_extras.update_policy import rules

_stack = models.Stack.__table__
_template = models.RawTemplate.__table__

_HOW_TO_LIFT = 'update the stack with a template that allows this change'

_STOPS = {rules.UPDATE: ('update',), rules.REPLACE: ('update', 'replace')}
# Only nested stacks: a root stack can be deleted in spite of policies.
_STOPS_OF_NESTED = {**_STOPS, rules.REPLACE: (
    *_STOPS[rules.REPLACE], 'delete', 'abandon')}


def list_guards(context, tree):
    """List the resources whose templates forbid to update or replace them.

    It needs one query, or none for trees without a policy. Stacks are loaded
    only if their policies have functions, or if the request is for a nested
    stack.
    """
    ids = [row.id for row in tree.stacks
           if row.has_update_policy is not False]
    if not ids:
        return []
    documents = guard_tree.run_query(context, sqlalchemy.select(
        _stack.c.id, _template.c.template).where(
            _stack.c.id.in_(ids),
            _template.c.id == _stack.c.raw_template_id))
    stops = _STOPS if tree.stack.owner_id is None else _STOPS_OF_NESTED
    return [*_list_inherited(context, tree.stack), *(
        _make_guard(row.id, name, key, stops[key])
        for row in documents
        for name, key in _list_forbidden(context, row.id, row.template))]


def replace_blockers(resource, stack):
    """List the policies that prevent the replacement of a resource.

    It is an entry point of :mod:`heat_extras.health.guards`.

    :param stack: the loaded stack of the resource.
    :returns: a list of sentences.
    """
    inherited = inherited_policy.compute_policy(stack)
    path = inherited.path_of(resource.name)
    by = inherited.restrict(resource.name,
                            allow.read_allow(resource.t, stack)).replace
    if by is not None:
        return [f'The update_policy of resource {by} has "replace: false". '
                f'Every update that would replace resource {path} is rejected '
                'until the template allows the replacement, or until the mark '
                'is reset.']
    guarded = inherited_policy.find_guarded_in(resource, path)
    if guarded is None:
        return []
    # An update replaces the marked resource, so it cannot change the policy.
    return [f'Resource {guarded} inside resource {path} has the update_policy '
            f'"replace: false". Every update that would replace {path} is '
            f'rejected until the mark is reset. To replace {path}: reset the '
            'mark, update the stack with templates that allow the replacement '
            f'of {guarded}, and then mark {path} again.']


def _make_guard(stack_id, name, key, stops):
    return guard.Guard(
        kind='policy', stack_id=stack_id, name=name, stops=stops,
        reason=f'update_policy has "{key}: false", also for all resources '
               'inside this resource',
        lifted_by='stacks:update', how_to_lift=_HOW_TO_LIFT)


def _list_inherited(context, row):
    """List the policies that a nested stack inherits."""
    if row.owner_id is None:
        return
    stack = heat_stack.Stack.load(context, stack_id=row.id)
    policy = inherited_policy.compute_policy(stack).policy
    for key in rules.KEYS:
        by = getattr(policy, key)
        if by is not None:
            yield guard.Guard(
                kind='policy', stack_id=row.id, stops=_STOPS_OF_NESTED[key],
                reason=f'update_policy of resource {by}, which contains this '
                       f'stack, has "{key}: false"',
                lifted_by='stacks:update', how_to_lift=_HOW_TO_LIFT)


def _list_forbidden(context, stack_id, document):
    """List pairs of the name of a resource and the key that is false."""
    unparsed = allow.find_in_template(document)
    try:
        parsed = {name: rules.parse_allow(value)
                  for name, value in unparsed.items()}
    except rules.RuleError:
        # For example with get_param.
        parsed = _resolve_allow(context, stack_id, unparsed)
    return [(name, key) for name, allowed in sorted(parsed.items())
            for key in rules.KEYS if getattr(allowed, key) is False]


def _resolve_allow(context, stack_id, names):
    stack = heat_stack.Stack.load(context, stack_id=stack_id)
    enabled = stack.defn.enabled_rsrc_names()
    return {name: allow.read_allow(stack.defn.resource_definition(name), stack)
            for name in names if name in enabled}
