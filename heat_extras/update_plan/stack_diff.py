# SPDX-License-Identifier: Apache-2.0

"""Whether an update changes the template or the parameters of a nested stack.

Ignored are a different spelling of a value, a default that is written out, and
a different ``allow``.
"""

from oslo_serialization import jsonutils

from heat_extras.db import template_rewrite
from heat_extras.update_plan import change

_MAYBE = change.Change(change.UPDATE, is_certain=False)


def predict_content(plan):
    """Return the change of the template and parameters of a stack.

    :param plan: its :class:`stack_plan.StackPlan`.
    :returns: a :class:`change.Change`, never a replacement.
    """
    if not plan.inputs.is_known:
        return _MAYBE
    changes = list(_differences(plan))
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
    old_names = before.enabled_rsrc_names()
    for name in sorted(old_names | after.enabled_rsrc_names()):
        if name not in old_names or name not in after.enabled_rsrc_names():
            yield change.Change(change.UPDATE,
                                plan.is_enabled_for_certain(name))
        elif old_resources[name] != new_resources[name]:
            yield from _resource_differences(plan, name)


def _resource_differences(plan, name):
    if not plan.exists(name):
        yield change.Change(change.UPDATE)
        return
    planned = plan.predict(name)
    if planned.action != change.UNCHANGED:
        yield change.Change(change.UPDATE, planned.is_certain)


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
