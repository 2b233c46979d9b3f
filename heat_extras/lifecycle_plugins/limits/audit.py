# SPDX-License-Identifier: Apache-2.0

"""Find the standing stacks that violate the rules of the limits plugin.

The values of properties are those of the last creation or update of each
resource, from Heat's database. No service is called.
"""

import typing

from heat.common import context as heat_context
from heat.db import models
from heat.engine import stack as heat_stack
import sqlalchemy

from heat_extras.heat_internals import guarded_stacks
from heat_extras.lifecycle_plugins.limits import evaluate
from heat_extras.lifecycle_plugins.limits import planned_resources
from heat_extras.lifecycle_plugins.limits import resource_count

_stack = models.Stack.__table__


class Violation(typing.NamedTuple):
    """A violation of a rule by a stack.

    :ivar rule: the name of the rule. None if the stack cannot be checked.
    :ivar mode: ``deny`` or ``warn``, or None.
    """

    project: str
    stack_name: str
    stack_id: str
    rule: str | None
    mode: str | None
    reason: str


def list_violations(rules, project=None):
    """Yield each :class:`Violation`, with one project in memory at a time.

    :param project: the ID of a project, or None for all projects.
    """
    context = heat_context.get_admin_context()
    for each in [project] if project else _list_projects(context):
        count = resource_count.ResourceCount(context, _stack.c.tenant == each)
        for row in count.list_stacks():
            for violation in _check(context, rules, count, row.id):
                yield Violation(each, row.name, row.id, *violation)


def _list_projects(context):
    return [row.tenant for row in guarded_stacks.run_query(
        context, sqlalchemy.select(_stack.c.tenant).distinct().where(
            _stack.c.deleted_at.is_(None)).order_by(_stack.c.tenant))]


def _check(context, rules, count, stack_id):
    """Return the rule, mode and reason of each violation by a stack."""
    try:
        stack = heat_stack.Stack.load(context, stack_id=stack_id,
                                      use_stored_context=True)
        # A limit is for a whole tree, or for a project.
        found = evaluate.find_violations(
            [rule for rule in rules
             if stack.owner_id is None or rule.kind != 'limit'],
            _make_standing(stack, count))
    except Exception as error:
        # For example without the plugin of a resource type.
        return [(None, None, f'the stack cannot be checked: {error}')]
    return [(rule.name, rule.mode, text) for rule, text in found]


def _make_standing(stack, count):
    around = count.list_around(stack.id)
    resources = tuple(_make_resource(each, stack)
                      for each in stack.resources.values()
                      if each.action not in (each.INIT, each.DELETE))
    keys = {each.key for each in resources}
    return evaluate.PlannedStack(
        resources=resources,
        list_nested=lambda: (each for each in around.own
                             if each.key not in keys),
        tags=tuple(stack.tags or ()), project=stack.tenant_id,
        is_root=stack.owner_id is None,
        there=lambda scope: evaluate.ExistingResources(
            around.own, around.elsewhere if scope == 'project' else ()),
        domain=lambda: planned_resources.get_domain_id(stack.context),
        is_standing=True)


def _make_resource(resource, stack):
    return evaluate.Resource(
        name=resource.name,
        types=resource_count.list_types(
            stack.env, resource.t.resource_type, resource.name),
        get=lambda key: _get_stored_value(resource, key),
        references=frozenset(resource.t.required_resource_names()),
        key=(stack.id, resource.name))


def _get_stored_value(resource, key):
    try:
        return resource.frozen_definition().properties(
            resource.properties_schema, resource.context)[key]
    except KeyError:
        return None
    except Exception:
        return evaluate.UNKNOWN
