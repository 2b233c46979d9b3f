# SPDX-License-Identifier: Apache-2.0

"""The guards that templates set: ``update_policy.allow``."""

from heat.db import models
from heat.engine import stack as heat_stack
import sqlalchemy

from heat_extras import guard
from heat_extras.heat_internals import guard_tree
from heat_extras.update_policy import allow
from heat_extras.update_policy import ancestry
from heat_extras.update_policy import keys
from heat_extras.update_policy import rules
from heat_extras.update_policy import words

_stack = models.Stack.__table__
_template = models.RawTemplate.__table__

_STOPS = {keys.UPDATE: ('update',), keys.REPLACE: ('update', 'replace')}
# A root stack can be deleted whatever its templates say.
_OF_NESTED = {**_STOPS, keys.REPLACE: (
    *_STOPS[keys.REPLACE], 'delete', 'abandon')}


def list_guards(context, found):
    """List the resources whose templates forbid to change or replace them.

    One query, and none for trees that are known to have no policy. Only a
    stack whose policies have functions, or a nested one that was asked for
    by itself, is loaded.
    """
    ids = [row.id for row in found.stacks if row.has_update_policy is not
           False]
    if not ids:
        return []
    documents = guard_tree.rows(context, sqlalchemy.select(
        _stack.c.id, _template.c.template).where(
            _stack.c.id.in_(ids),
            _template.c.id == _stack.c.raw_template_id))
    stops = _STOPS if found.stack.owner_id is None else _OF_NESTED
    return [*_around(context, found.stack), *(
        _guard(row.id, name, key, stops[key])
        for row in documents
        for name, key in _forbidden(context, row.id, row.template))]


def _guard(stack_id, name, key, stops):
    return guard.Guard(
        kind='policy', stack_id=stack_id, name=name, stops=stops,
        reason=words.guards(key), lifted_by='stacks:update',
        how_to_lift=words.HOW_TO_LIFT)


def _around(context, row):
    """List what a nested stack stands under."""
    if row.owner_id is None:
        return
    stack = heat_stack.Stack.load(context, stack_id=row.id)
    policy = ancestry.look(stack).policy
    for key in keys.ALL:
        by = getattr(policy, key)
        if by is not None:
            yield guard.Guard(
                kind='policy', stack_id=row.id, stops=_OF_NESTED[key],
                reason=words.guards_around(by, key),
                lifted_by='stacks:update', how_to_lift=words.HOW_TO_LIFT)


def _forbidden(context, stack_id, document):
    """List the pairs of a resource and a key that its policy forbids."""
    written = _written(document)
    try:
        parsed = {name: rules.parse(found)
                  for name, found in written.items()}
    except rules.RuleError:
        # With get_param, for instance.
        parsed = _resolved(context, stack_id, written)
    return [(name, key) for name, found in sorted(parsed.items())
            for key in keys.ALL if getattr(found, key) is False]


def _written(document):
    resources = (document or {}).get('resources')
    if not isinstance(resources, dict):
        return {}
    policies = {name: (body or {}).get('update_policy')
                for name, body in resources.items()}
    return {name: policy[allow.KEY] for name, policy in policies.items()
            if isinstance(policy, dict) and allow.KEY in policy}


def _resolved(context, stack_id, written):
    stack = heat_stack.Stack.load(context, stack_id=stack_id)
    enabled = stack.defn.enabled_rsrc_names()
    return {name: allow.of(stack.defn.resource_definition(name))
            for name in written if name in enabled}
