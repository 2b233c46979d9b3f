# SPDX-License-Identifier: Apache-2.0

"""The policies around a nested stack, and the protected resources inside.

An update of a nested stack must also comply with the policies of all resources
around it: of the nested-stack resource in the parent, of the resource around
the parent, and so on up to the root.

The deletion or abandonment of a nested stack by its own ID removes the stack
from the tree of its root, like an update that removes the resource around it.
No update of the root restores it. So the same policies apply. The calls of a
parent are not checked here: its update has been checked, or the whole tree is
deleted. These calls are marked. For a call from an engine without heat-extras,
the row of the resource shows that it is from a parent.
"""

import dataclasses

from heat.db import api as db_api
from heat.db import models
from heat.engine.resources import stack_resource
from heat.engine import stack as heat_stack
from heat.engine import template
from heat.objects import resource as resource_object
from heat.objects import stack as stack_object
from oslo_log import log as logging
import sqlalchemy

from heat_extras.db import counter_writes
from heat_extras.db import counters
from heat_extras.db import stack_columns
from heat_extras import gate
from heat_extras.heat_internals import object_data
from heat_extras.heat_internals import resource_rows
from heat_extras.plan import change
from heat_extras.plan import stack_plan
from heat_extras import rpc_request
from heat_extras import sanitize
from heat_extras.update_policy import allow
from heat_extras.update_policy import errors
from heat_extras.update_policy import policy_flag
from heat_extras.update_policy import rollback_check
from heat_extras.update_policy import rules

LOG = logging.getLogger(__name__)


@dataclasses.dataclass(frozen=True)
class InheritedPolicy:
    """The policy that a nested stack inherits.

    :param policy: a :class:`rules.Policy`.
    :param path: the names of the resources around the stack, root first.
    """

    policy: rules.Policy = rules.UNRESTRICTED
    path: tuple = ()

    def under(self, name, policy):
        """Return the inherited policy for the inside of a resource.

        :param policy: the policy of the resource.
        """
        return InheritedPolicy(policy, (*self.path, name))

    def restrict(self, name, allowed):
        """Return the policy of a resource of the stack.

        :param allowed: the :class:`rules.Allow` of the resource.
        """
        return rules.restrict_policy(self.policy, allowed, self.path_of(name))

    def path_of(self, name):
        return '/'.join((*self.path, name))


ROOT = InheritedPolicy()


def compute_policy(stack, is_removed=False, updated=None):
    """Return the :class:`InheritedPolicy` of a stack.

    It needs no query for trees without policies, and for a root stack that is
    not protected from deletion, unless a tag can protect resources.

    :param is_removed: whether the stack is to be removed. If a condition has
        disabled the resource around it, the ``allow`` in its current template
        is used.
    :param updated: the stack after the update that starts, or None.
    """
    data = object_data.of_stack(stack)
    if not data.is_flag_loaded or data.has_policy is False:
        return ROOT
    if stack.owner_id is None:
        return InheritedPolicy(rules.Policy(
            replace=gate.find_resource_protection(stack, updated)))
    owner = heat_stack.Stack.load(stack.context, stack_id=stack.owner_id)
    name = stack.parent_resource_name
    definition = list_definitions(owner).get(name)
    applied = definition or _find_applied_definition(owner, stack)
    if applied is None:
        # The parent resource is being removed together with this stack.
        return compute_policy(owner, is_removed)
    inherited = compute_policy(owner, is_removed)
    allowed = (allow.read_allow_of_removed(applied, owner.defn)
               if is_removed and definition is None
               else allow.read_allow(applied, owner))
    allowed = rules.combine_allow(
        allowed, rollback_check.find_baseline(owner).allow_around(stack.id))
    return inherited.under(name, inherited.restrict(name, allowed))


def _find_applied_definition(owner, stack):
    # For a resource that an update should have removed, but did not.
    rows = resource_object.Resource.get_all_active_by_stack(owner.context,
                                                            owner.id)
    plan = stack_plan.StackPlan(owner, owner.t)
    return next((plan.definition_of(row) for row in rows.values()
                 if row.physical_resource_id == stack.id
                 and row.action != 'DELETE'), None)


def list_definitions(owner):
    """Return the resource definitions of a stack, by name."""
    if _is_in_update_task(owner):
        # It changes the template resource by resource, and stores a copy of
        # the new template.
        new = template.Template.load(owner.context,
                                     owner.prev_raw_template_id)
        owner.defn = owner.defn.clone_with_new_template(
            new, owner.identifier())
    return {name: owner.defn.resource_definition(name)
            for name in owner.defn.enabled_rsrc_names()}


def _is_in_update_task(stack):
    # Only for the legacy engine. The rollback of a create has no copy, and a
    # suspend can follow a failed update that stored one.
    return (not stack.convergence and stack.status == stack.IN_PROGRESS
            and stack.action in (stack.UPDATE, stack.RESTORE, stack.ROLLBACK)
            and stack.prev_raw_template_id is not None)


def find_guarded(context, stack_id, path, baseline=rollback_check.UPDATE):
    """Find a resource in a stack that must not be destroyed by an update.

    The last applied policy counts, because the new template does not have the
    resource. For a rollback, the policy before the failed update counts.

    :param path: the path of the nested-stack resource.
    :param baseline: the baseline of the stack around it.
    :returns: the path of the first such resource, or None.
    """
    pending = [(stack_id, path)]
    while pending:
        stack_id, path = pending.pop(0)
        plan = stack_plan.load_plan(context, stack_id)
        here = baseline.nested(stack_id)
        for name in plan.existing_names():
            definition = plan.current_definition(name)
            row = plan.rows[name]
            if definition is None or here.is_new(row.id):
                continue
            if (not resource_rows.row_was_never_created(row) and
                    here.allow_before(row.id, definition).replace is False):
                return f'{path}/{name}'
            # Resources in a nested stack can be complete if others failed.
            if (plan.is_nested(name) and row.physical_resource_id
                    and not here.is_nested_stack_new(row)):
                pending.append((row.physical_resource_id, f'{path}/{name}'))
    return None


def find_guarded_in(resource, path, baseline=rollback_check.UPDATE):
    """Find a protected resource inside a resource of any type."""
    if (not isinstance(resource, stack_resource.StackResource)
            or resource.resource_id is None):
        return None
    return find_guarded(resource.context, resource.resource_id, path,
                        baseline)


_stack = models.Stack.__table__
_resource = models.Resource.__table__

_PARTICIPLES = {rpc_request.DELETE: 'deleted',
                rpc_request.ABANDON: 'abandoned'}


def check_nested_delete(request, row):
    """Reject the removal of a nested stack that a policy protects.

    :param request: the :class:`heat_extras.rpc_request.Request`.
    :param row: the heat.objects.stack.Stack that Heat has loaded.
    :raises NestedStackRestricted: if a policy forbids the operation.
    """
    context, operation = request.context, request.operation
    if (operation not in _PARTICIPLES or row.owner_id is None
            or request.is_row_checked or request.is_of_parent
            or not _is_guarded(context, row)):
        return
    root = _find_root(context, row)
    if root is None or _is_deleted_with_parent(
            _find_parent_resource(context, row)):
        return
    problem = _find_violation(context, row)
    if problem is None:
        return
    LOG.info('%(operation)s of stack %(name)s (%(id)s) rejected: %(why)s',
             {'operation': operation, 'name': row.name, 'id': row.id,
              'why': sanitize.printable(problem)})
    counter_writes.count_event(row.id, counters.POLICY, operation, context)
    participle = _PARTICIPLES[operation]
    raise errors.NestedStackRestricted(
        message=f'Stack {row.name} ({row.id}) cannot be {participle}: it is '
                f'nested in stack {root.name}, and {problem}. Nothing was '
                f'changed. First update stack {root.name} with templates that '
                'allow this. The update_policy does not apply when stack '
                f'{root.name} as a whole is {participle}.')


def _is_guarded(context, row):
    known = stack_columns.get_columns(row).has_update_policy
    return (policy_flag.compute_flags(context, row.id) if known is None
            else known)


def _find_root(context, row):
    """Return the row of the root.

    :returns: None if a stack around *row* is deleted or being deleted.
    """
    while row is not None and row.owner_id is not None:
        row = stack_object.Stack.get_by_id(context, row.owner_id)
        # Not if the deletion failed: a plugin may have denied it.
        if row is not None and (row.action, row.status) == (
                'DELETE', 'IN_PROGRESS'):
            return None
    return row


def _is_deleted_with_parent(resource):
    """Return whether the parent resource of a stack is deleted or failed.

    It is also true if the resource was never complete, or does not exist.
    """
    return resource is None or resource.action == 'DELETE' or (
        resource.action, resource.status) == ('CREATE', 'FAILED')


def _find_parent_resource(context, row):
    # By the physical resource ID, because a resource that is being replaced
    # has two rows with its name. The legacy engine keeps the older row in a
    # backup stack.
    holders = sqlalchemy.select(_stack.c.id).where(sqlalchemy.or_(
        _stack.c.id == row.owner_id,
        sqlalchemy.and_(_stack.c.owner_id == row.owner_id,
                        _stack.c.backup.is_(True))))
    with db_api.context_manager.reader.independent.using(context) as session:
        return session.execute(
            sqlalchemy.select(_resource).where(
                _resource.c.stack_id.in_(holders),
                models.Resource.physical_resource_id == row.id)).first()


def _find_violation(context, row):
    inherited = compute_policy(
        heat_stack.Stack.load(context, stack_id=row.id), is_removed=True)
    path, kind = '/'.join(inherited.path), rules.NESTED_STACK
    by = inherited.policy.replace
    if by is not None:
        return rules.describe_forbidden(path, kind, change.REMOVE, by)
    guarded = find_guarded(context, row.id, path)
    return guarded and rules.describe_guarded_inside(
        path, kind, change.REMOVE, guarded)
