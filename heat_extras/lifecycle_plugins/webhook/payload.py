# SPDX-License-Identifier: Apache-2.0

"""Describe an action for a service, without values of hidden parameters.

A template can compute other values from a hidden value (a part, an encoding, a
digest), which cannot be recognized. So only the template and the parameters of
a root stack are sent, and functions of the template are not resolved. Hidden
parameters are left out. Parameters with a value in ``parameter_defaults`` are
also left out, because it can be the value of a hidden parameter of a nested
stack.
"""

import json

from heat.common import exception
from heat.engine import template as templates

from heat_extras.lifecycle import plugin_api

VERSION = 1

_CREATING = ('CREATE', 'ADOPT')

# The sections of templates with parameters, and the attribute that hides a
# parameter, whatever its value is.
_SECTIONS = {'parameters': 'hidden', 'Parameters': 'NoEcho'}


def describe_call(context, stack, new_stack, action, **call):
    """Make the document for one call.

    :param call: the kind of the call, and the result of the action.
    :returns: a value that can be converted to JSON.
    """
    # A plan has no operation.
    operation_id = getattr(stack, 'operation_id', None)
    stack, new_stack = plugin_api.bare(stack), plugin_api.bare(new_stack)
    old = None if action in _CREATING else stack
    new = stack if action in _CREATING else new_stack
    hidden = {
        name for shown in (old, new) if shown is not None
        for template in (shown.t, *_list_previous_templates(shown))
        for name in list_hidden_parameters(template.t)}
    return {
        'version': VERSION, 'operation_id': operation_id, 'action': action,
        **call, 'user': {'id': context.user_id, 'roles': context.roles,
                         'project': context.project_id},
        'stack': _describe_stack(stack, context),
        'old': _describe_content(old, hidden),
        'new': _describe_content(new, hidden)}


def _list_previous_templates(stack):
    # A parameter may have been hidden before this update.
    if stack.prev_raw_template_id is None:
        return []
    try:
        return [templates.Template.load(stack.context,
                                        stack.prev_raw_template_id)]
    except exception.NotFound:
        return []


def list_hidden_parameters(document):
    """List the parameters that a template declares as hidden."""
    return {name for section, attribute in _SECTIONS.items()
            for name, schema in (document.get(section) or {}).items()
            if isinstance(schema, dict) and schema.get(attribute)}


def _describe_stack(stack, context):
    return {'id': stack.id, 'name': stack.name, 'owner': stack.owner_id,
            'project': stack.tenant_id, 'tags': list(stack.tags or ()),
            'domain': getattr(context, 'project_domain_id', None)}


def _describe_content(stack, hidden):
    if stack is None:
        return None
    if stack.owner_id is not None:
        return {'template': None, 'parameters': None}
    return {'template': _convert_to_json({
        section: _remove_hidden(content, hidden) if section in _SECTIONS
        else content for section, content in stack.t.t.items()}),
        'parameters': _list_parameter_values(stack, hidden)}


def _list_parameter_values(stack, hidden):
    left_out = hidden.union(stack.env.param_defaults)
    return {name: _get_value(stack.parameters, name)
            for name in stack.parameters.params if name not in left_out}


def _get_value(parameters, name):
    try:
        return _convert_to_json(parameters[name])
    except Exception:
        # It has no value. The error could contain another value.
        return None


def _remove_hidden(schemata, hidden):
    return {name: schema for name, schema in (schemata or {}).items()
            if name not in hidden}


def _convert_to_json(value):
    """Convert a value to plain JSON types."""
    return json.loads(json.dumps(value, default=str))
