# SPDX-License-Identifier: Apache-2.0

"""Plan the resources of a stack and its nested stacks, and check the rules."""

import functools

from heat.engine import resource as heat_resource
from heat.engine.resources import stack_resource
from oslo_log import log as logging

from heat_extras.lifecycle import plugin_api
from heat_extras.lifecycle_plugins.limits import evaluate
from heat_extras.lifecycle_plugins.limits import resource_count
from heat_extras.lifecycle_plugins.limits import rules_file
from heat_extras.plan import change
from heat_extras.plan import nested_plan
from heat_extras.plan import stack_plan
from heat_extras import sanitize

LOG = logging.getLogger(__name__)

_CREATING = ('CREATE', 'ADOPT')
_CHANGING = ('UPDATE', 'RESTORE')


def check_action(rules, context, stack, new_stack, action,
                 warn=plugin_api.warn):
    """Check the stack that an action would create.

    A rollback restores a state that was allowed before. The other actions do
    not change anything to which rules apply.

    :param warn: called as :func:`plugin_api.warn`.
    :raises Denied: with all violations.
    """
    if action in _CHANGING and new_stack is not None:
        after = new_stack
    elif action in _CREATING:
        after = stack
    else:
        return
    if getattr(stack, 'resource_path', ()):
        # In a dry run, the limits were checked for the whole tree.
        rules = [rule for rule in rules if rule.kind != 'limit']
    violations = evaluate.find_violations(rules, _make_planned_stack(
        context, plugin_api.bare(stack), plugin_api.bare(after), action))
    warnings = _list_texts(violations, True)
    if warnings:
        warn(stack, action, sanitize.join_some(warnings))
    denials = _list_texts(violations, False)
    if denials:
        raise plugin_api.Denied(sanitize.join_some(denials))


def _list_texts(violations, is_warning):
    return [text for rule, text in violations
            if (rule.mode == rules_file.WARN) is is_warning]


def _make_planned_stack(context, stack, after, action):
    plan = (None if action in _CREATING
            else stack_plan.plan_update(stack, after))
    return evaluate.PlannedStack(
        resources=tuple(_make_resource(resource, after, stack, plan)
                        for resource in after.resources.values()),
        list_nested=functools.partial(_list_nested, after, plan),
        tags=tuple(after.tags or ()), project=stack.tenant_id,
        is_root=stack.owner_id is None,
        there=functools.cache(functools.partial(
            resource_count.read_existing, context, stack)),
        domain=functools.partial(get_domain_id, context))


def get_domain_id(context):
    """Return the ID of the domain of the project of a context."""
    # The token of a request has the domain, stored credentials do not.
    known = getattr(context, 'project_domain_id', None)
    if known:
        return known
    session = context.keystone_session
    return session.auth.get_access(session).project_domain_id


def _make_resource(resource, after, stack, plan):
    name = resource.name
    return evaluate.Resource(
        name=name, types=_list_types(after, resource.t),
        get=functools.partial(_get_value, resource) if plan is None
        else functools.partial(_get_planned_value, plan, name),
        references=frozenset(resource.t.required_resource_names()),
        key=(stack.id, name),
        is_unchanged=plan is not None and plan.exists(name) and (
            plan.predict(name) == change.Change()))


def _list_nested(planned, plan):
    # Each evaluate.CountedResource that would be nested in a stack.
    for definition in _list_definitions(planned):
        try:
            child, child_plan = _make_child(planned, definition, plan)
            # A condition may use a parameter whose value is not known yet.
            inside = () if child is None else _list_definitions(child)
        except Exception as error:
            LOG.debug('Nested stack %s cannot be planned yet: %s',
                      definition.name, type(error).__name__)
            yield from _list_existing(plan, definition.name)
            continue
        if child is not None:
            yield from (_count_resource(child, child_plan, each)
                        for each in inside)
            yield from _list_nested(child, child_plan)


def _count_resource(child, plan, definition):
    return evaluate.CountedResource(
        _list_types(child, definition),
        None if plan is None else (plan.stack.id, definition.name))


def _list_definitions(stack):
    return [stack.defn.resource_definition(name)
            for name in stack.defn.enabled_rsrc_names()]


def _list_types(stack, definition):
    return resource_count.list_types(stack.env, definition.resource_type,
                                     definition.name)


def _list_existing(plan, name):
    if plan is not None and plan.is_nested(name):
        yield from resource_count.list_inside(
            plan.stack.context, plan.rows[name].physical_resource_id)


def _make_child(stack, definition, plan):
    """Return a planned nested stack, and its plan if it is not replaced."""
    name = definition.name
    if (plan is not None and plan.is_nested(name)
            and plan.predict(name).action not in change.DESTRUCTIVE):
        child = plan.child(name)
        return child.planned, child
    # A new resource object, because those of the stack cache their results.
    resource = heat_resource.Resource(name, definition, stack)
    if not isinstance(resource, stack_resource.StackResource):
        return None, None
    return nested_plan.new_stack(resource), None


def _get_planned_value(plan, name, key):
    try:
        if plan.is_unknown(name, key):
            return evaluate.UNKNOWN
        return plan.new(name).properties[key]
    except KeyError:
        return None
    except Exception:
        return evaluate.UNKNOWN


def _get_value(resource, key):
    try:
        value = resource.properties[key]
        is_given = key in resource.properties.data
    except KeyError:
        return None
    except Exception:
        return evaluate.UNKNOWN
    return evaluate.UNKNOWN if value is None and is_given else value
