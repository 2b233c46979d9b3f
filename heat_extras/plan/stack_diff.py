# SPDX-License-Identifier: Apache-2.0

"""Whether an update changes the template or the parameters of a nested stack.

Ignored are a different spelling of a value, a default that is written out, and
a different ``allow``.
"""

from heat.engine import function
from heat.engine.resources.openstack.heat import none_resource
from oslo_serialization import jsonutils

from heat_extras.db import template_rewrite
from heat_extras.plan import change

_MAYBE = change.Change(change.UPDATE, is_certain=False)


def predict_content(plan):
    """Return the change of the template and parameters of a stack.

    :param plan: its :class:`stack_plan.StackPlan`.
    :returns: a :class:`change.Change`, never a replacement.
    """
    if not plan.inputs.is_known:
        return _MAYBE
    changes = [each for each in _differences(plan)
               if each.action != change.UNCHANGED]
    certain = [each for each in changes if each.is_certain]
    return (certain or changes or [change.Change()])[0]


def _differences(plan):
    before, after = plan.stack.defn, plan.planned.defn
    old, new = _document(before.t), _document(after.t)
    old_resources, new_resources = (
        document.pop(template.RESOURCES, None) or {}
        for document, template in ((old, before.t), (new, after.t)))
    hidden = plan.inputs.parameters
    if old != new or _values(before.parameters, hidden) != _values(
            after.parameters, hidden):
        yield change.Change(change.UPDATE)
    if plan.inputs.is_any_hidden:
        yield _MAYBE
    old_names, new_names = (
        defn.enabled_rsrc_names() for defn in (before, after))
    for name in sorted(old_resources.keys() | new_resources.keys()):
        if (name in old_names) != (name in new_names) or not (
                name in old_resources and name in new_resources):
            yield change.Change(change.UPDATE,
                                plan.is_enabled_for_certain(name))
        elif old_resources[name] != new_resources[name]:
            yield _predict_resource(plan, name, old_resources[name],
                                    new_resources[name])


def _predict_resource(plan, name, old, new):
    """Return the change of a template by one resource in it."""
    template = plan.planned.defn.t
    if (not plan.exists(name) or name not in plan.new_names
            or _without_resolved(template, old)
            != _without_resolved(template, new)):
        return change.Change(change.UPDATE)
    planned = plan.predict(name)
    if planned.action != change.UNCHANGED:
        return change.Change(change.UPDATE, planned.is_certain)
    return (_compare_ignored(plan, name) if _ignores_properties(plan, name)
            else change.Change())


def _without_resolved(template, body):
    """Return the parts of a resource that Heat does not resolve."""
    rest = {key: value for key, value in body.items() if key not in (
        template.RES_PROPERTIES, template.RES_METADATA,
        template.RES_UPDATE_POLICY)}
    # The legacy engine stores it as a list.
    names = rest.pop(template.RES_DEPENDS_ON, None) or []
    return rest, [names] if isinstance(names, str) else names


def _ignores_properties(plan, name):
    return (issubclass(plan.new_type(name), none_resource.NoneResource)
            or plan.new_definition(name).external_id() is not None)


def _compare_ignored(plan, name):
    """Return the change of a template by properties without an effect."""
    before, after = ((each._properties, each._metadata) for each in (
        plan.current_definition(name), plan.new_definition(name)))
    if plan.unresolved(name) or list(
            function.dependencies(before)):
        return _MAYBE
    return change.Change(
        change.UNCHANGED if function.resolve(before) == function.resolve(after)
        else change.UPDATE)


def has_same_registry(first, other):
    """Return whether two stacks have the same resource registry."""
    one, two = (stack.env.user_env_as_dict().get('resource_registry')
                for stack in (first, other))
    return one == two


def stack_content(definition):
    """Return the template and parameters of a stack, for a comparison.

    :param definition: a heat.engine.stk_defn.StackDefinition.
    """
    return [_document(definition.t), _values(definition.parameters)]


def _document(template):
    document = jsonutils.loads(jsonutils.dumps(template.t))
    resources = document.get('resources') or {}
    for name, body in resources.items():
        resources[name] = template_rewrite.without_allow(body)
    return document


def _values(parameters, hidden=()):
    return {name: value for name, value in parameters.items()
            if '::' not in name and name not in hidden}
