# SPDX-License-Identifier: Apache-2.0

"""Work out what a stack would have, nested stacks included, and judge it."""

import functools

from heat.engine import resource as heat_resource
from heat.engine.resources import stack_resource
from oslo_log import log as logging

from heat_extras.lifecycle import plugin_api
from heat_extras.lifecycle_plugins.limits import evaluate
from heat_extras.lifecycle_plugins.limits import resource_count
from heat_extras.lifecycle_plugins.limits import rules_file
from heat_extras import sanitize
from heat_extras.update_plan import change
from heat_extras.update_plan import nested_plan
from heat_extras.update_plan import resource_plan
from heat_extras.update_plan import stack_plan
from heat_extras.update_plan import unknown

LOG = logging.getLogger(__name__)

_MADE = ('CREATE', 'ADOPT')
_CHANGED = ('UPDATE', 'RESTORE')


def judge(rules, context, stack, new_stack, action):
    """Judge what an action would make of a stack.

    A rollback goes back to what was allowed once, and other actions change
    nothing that rules are about.

    :raises Denied: with all violations.
    """
    if action in _CHANGED and new_stack is not None:
        after = new_stack
    elif action in _MADE:
        after = stack
    else:
        return
    found = evaluate.violations(rules, _subject(
        context, plugin_api.bare(stack), plugin_api.bare(after), action))
    warnings = _texts(found, True)
    if warnings:
        plugin_api.warn(stack, action, sanitize.listing(warnings))
    denials = _texts(found, False)
    if denials:
        raise plugin_api.Denied(sanitize.listing(denials))


def _texts(found, is_warning):
    return [text for rule, text in found
            if (rule.mode == rules_file.WARN) is is_warning]


def _subject(context, stack, after, action):
    plan = None if action in _MADE else stack_plan.plan_update(stack, after)
    return evaluate.Subject(
        resources=tuple(_resource(resource, after, stack, plan)
                        for resource in after.resources.values()),
        list_nested=functools.partial(_nested, after, plan),
        tags=tuple(after.tags or ()), project=stack.tenant_id,
        is_root=stack.owner_id is None,
        there=functools.cache(functools.partial(
            resource_count.there, context, stack)),
        domain=functools.partial(_domain, context))


def _domain(context):
    # The token of a request says it; stored credentials do not.
    known = getattr(context, 'project_domain_id', None)
    if known:
        return known
    session = context.keystone_session
    return session.auth.get_access(session).project_domain_id


def _resource(resource, after, stack, plan):
    name = resource.name
    return evaluate.Resource(
        name=name, types=_types(after, resource.t),
        get=functools.partial(_value, resource) if plan is None
        else functools.partial(_planned_value, plan, name),
        references=frozenset(resource.t.required_resource_names()),
        key=(stack.id, name),
        is_unchanged=plan is not None and plan.exists(name) and (
            plan.predict(name) == resource_plan.UNCHANGED))


def _nested(planned, plan):
    # Each evaluate.Living that would be nested in a stack.
    for definition in _definitions(planned):
        try:
            child, child_plan = _child(planned, definition, plan)
        except Exception as error:
            LOG.debug('Nested stack %(name)s cannot be worked out yet: '
                      '%(kind)s', {'name': definition.name,
                                   'kind': type(error).__name__})
            yield from _as_is(plan, definition.name)
            continue
        if child is not None:
            yield from (_inner(child, child_plan, one)
                        for one in _definitions(child))
            yield from _nested(child, child_plan)


def _inner(child, plan, definition):
    return evaluate.Living(
        _types(child, definition),
        None if plan is None else (plan.stack.id, definition.name))


def _definitions(stack):
    return [stack.defn.resource_definition(name)
            for name in stack.defn.enabled_rsrc_names()]


def _types(stack, definition):
    return resource_count.types(stack.env, definition.resource_type,
                                definition.name)


def _as_is(plan, name):
    if plan is not None and plan.exists(name) and plan.is_nested(name):
        yield from resource_count.inside(plan.stack.context,
                                         plan.rows[name].physical_resource_id)


def _child(stack, definition, plan):
    """Return a nested stack as it would be, and its plan if it stays."""
    name = definition.name
    if (plan is not None and plan.exists(name) and plan.is_nested(name)
            and plan.predict(name).action not in change.DESTRUCTIVE):
        child = plan.child(name)
        return child.planned, child
    # A resource of our own: the stack's keep what they once worked out.
    resource = heat_resource.Resource(name, definition, stack)
    if not isinstance(resource, stack_resource.StackResource):
        return None, None
    return nested_plan.new_stack(resource), None


def _planned_value(plan, name, key):
    try:
        hidden = plan.unresolved(name)
        if not hidden.keys().isdisjoint((key, unknown.ALL)):
            return evaluate.UNKNOWN
        return plan.new(name).properties[key]
    except KeyError:
        return None
    except Exception:
        return evaluate.UNKNOWN


def _value(resource, key):
    try:
        value = resource.properties[key]
        is_given = key in resource.properties.data
    except KeyError:
        return None
    except Exception:
        return evaluate.UNKNOWN
    return evaluate.UNKNOWN if value is None and is_given else value
