# SPDX-License-Identifier: Apache-2.0

"""``update_policy.allow`` in templates."""

from heat.db import models
from heat.engine import stack as heat_stack
import sqlalchemy

from heat_extras.db import stack_columns
from heat_extras import guard
from heat_extras.heat_internals import guarded_stacks
from heat_extras.heat_internals import object_data
from heat_extras import rpc_request
from heat_extras.update_policy import allow
from heat_extras.update_policy import inherited_policy
from heat_extras.update_policy import policy_flag
from heat_extras.update_policy import resource_check
from heat_extras.update_policy import rollback_check
from heat_extras.update_policy import rules
from heat_extras.update_policy import update_check

_stack = models.Stack.__table__
_template = models.RawTemplate.__table__

_HOW_TO_LIFT = 'update the stack with a template that allows this change'

_STOPS = {rules.UPDATE: ('update',), rules.REPLACE: ('update', 'replace')}
# Only nested stacks: a root stack can be deleted in spite of policies.
_STOPS_OF_NESTED = {**_STOPS, rules.REPLACE: (
    *_STOPS[rules.REPLACE], 'delete', 'abandon')}


class UpdatePolicyGuard(guard.Guard):
    """Rejects changes that an update policy in a template forbids."""

    def process(self, request, proceed):
        answer = proceed()
        if request.operation == rpc_request.PREVIEW:
            return {**answer, 'restricted': update_check.list_restricted(
                request.stacks)}
        return answer

    def check_row(self, request, row):
        inherited_policy.check_nested_delete(request, row)

    def start_convergence(self, stack, start, proceed):
        if start.new_stack is not None and update_check.reject_if_forbidden(
                stack, start.action, start.new_stack, start.template):
            return None
        return proceed()

    def begin_traversal(self, stack):
        rollback_check.record_traversal(stack)

    def run_legacy_update(self, stack, start, proceed):
        if update_check.reject_legacy_update(stack, start):
            return
        rollback_check.record_at_store(stack)
        yield from proceed()

    def roll_back(self, stack, proceed):
        rollback_check.set_rolled_back(stack)
        return proceed()

    def update_resource(self, resource, definition, proceed):
        return resource_check.update_resource(resource, definition, proceed)

    def load_stack(self, stack, row):
        object_data.of_stack(stack).set_policy(
            stack_columns.get_columns(row).has_update_policy)

    def stored_columns(self, stack):
        return policy_flag.flag_columns(stack)

    def store(self, stack, proceed):
        was_new = stack.id is None
        old_flag = object_data.of_stack(stack).has_policy
        stored = proceed()
        rollback_check.record_after_store(stack)
        if stored is not None:
            update = object_data.of_stack(stack).reviewed_update
            if update is not None:
                update.record(stack)
            # A new policy sets the flags of the stacks around it.
            policy_flag.propagate_flag(stack, was_new, old_flag)
        return stored

    def list_stops(self, context, update):
        return update_check.list_stops(context, update)

    def list_guards(self, context, tree):
        # This needs one query, or none for trees without a policy. Stacks are
        # loaded only if their policies have functions, or if the request is
        # for a nested stack.
        ids = [row.id for row in tree.stacks
               if row.has_update_policy is not False]
        if not ids:
            return []
        documents = guarded_stacks.run_query(context, sqlalchemy.select(
            _stack.c.id, _template.c.template).where(
                _stack.c.id.in_(ids),
                _template.c.id == _stack.c.raw_template_id))
        stops = _STOPS if tree.stack.owner_id is None else _STOPS_OF_NESTED
        return [*_list_inherited(context, tree.stack), *(
            _make_guard(row.id, name, key, stops[key])
            for row in documents
            for name, key in _list_forbidden(context, row.id, row.template))]

    def list_replace_blockers(self, resource, stack):
        policy_flag.find_flag(stack)
        inherited = inherited_policy.compute_policy(stack)
        path = inherited.path_of(resource.name)
        by = inherited.restrict(resource.name,
                                allow.read_allow(resource.t, stack)).replace
        if by is not None:
            return [rules.describe_blocked_mark(path, by)]
        guarded = inherited_policy.find_guarded_in(resource, path)
        return [] if guarded is None else [
            rules.describe_blocked_mark_around(path, guarded)]


def _make_guard(stack_id, name, key, stops):
    return guard.GuardInfo(
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
        # The protection of the whole tree is another guard.
        if isinstance(by, str):
            yield guard.GuardInfo(
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
