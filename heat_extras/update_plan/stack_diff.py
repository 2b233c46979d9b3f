# SPDX-License-Identifier: Apache-2.0

"""What makes up a nested stack; what stands in ``allow`` does not count."""

from oslo_serialization import jsonutils

from heat_extras.db import templates


def differs(stack, definition):
    """Return whether a nested stack would be another one after an update.

    :param definition: the heat.engine.stk_defn.StackDefinition that it gets.
    """
    return of(stack.defn) != of(definition)


def of(definition):
    """Return what makes up a stack, to be compared."""
    return [_document(definition.t), _values(definition.parameters)]


def _document(template):
    document = jsonutils.loads(jsonutils.dumps(template.t))
    resources = document.get('resources') or {}
    for name, found in resources.items():
        resources[name] = templates.without_allow(found)
    return document


def _values(parameters):
    return {name: value for name, value in parameters.items()
            if '::' not in name}
