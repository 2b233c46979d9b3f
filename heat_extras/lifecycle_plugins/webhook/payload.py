# SPDX-License-Identifier: Apache-2.0

"""Describe an action to a service, without values of hidden parameters.

What a template makes of a hidden value (a part, an encoding, a digest) does
not contain that value, so it cannot be searched for. The rule is coarse
instead: only the template and the parameters of a root stack are sent, and
functions of the template are not resolved. Hidden parameters are left out. So
are parameters with a value in ``parameter_defaults``, which may be that of a
hidden parameter of a nested stack.
"""

import json

from heat.common import exception
from heat.engine import template as templates

from heat_extras.lifecycle import plugin_api

VERSION = 1

_MADE = ('CREATE', 'ADOPT')

# Where a template declares parameters, and the attribute that hides one; any
# text in it counts.
_SECTIONS = {'parameters': 'hidden', 'Parameters': 'NoEcho'}


def describe(context, stack, new_stack, action, **call):
    """Describe one call.

    :param call: which one, and how the action ended.
    :returns: what JSON can take.
    """
    operation_id = stack.operation_id
    stack, new_stack = plugin_api.bare(stack), plugin_api.bare(new_stack)
    old = None if action in _MADE else stack
    new = stack if action in _MADE else new_stack
    hidden = set().union(*(
        hidden_names(template.t) for one in (old, new) if one is not None
        for template in (one.t, *_previous(one))))
    return {
        'version': VERSION, 'operation_id': operation_id, 'action': action,
        **call, 'user': {'id': context.user_id, 'roles': context.roles,
                         'project': context.project_id},
        'stack': _about(stack, context), 'old': _content(old, hidden),
        'new': _content(new, hidden)}


def _previous(stack):
    # What is shown now may have been hidden before this update.
    if stack.prev_raw_template_id is None:
        return []
    try:
        return [templates.Template.load(stack.context,
                                        stack.prev_raw_template_id)]
    except exception.NotFound:
        return []


def hidden_names(document):
    """List the parameters that a template declares as hidden."""
    return {name for section, attribute in _SECTIONS.items()
            for name, schema in (document.get(section) or {}).items()
            if isinstance(schema, dict) and schema.get(attribute)}


def _about(stack, context):
    return {'id': stack.id, 'name': stack.name, 'owner': stack.owner_id,
            'project': stack.tenant_id, 'tags': list(stack.tags or ()),
            'domain': getattr(context, 'project_domain_id', None)}


def _content(stack, hidden):
    if stack is None:
        return None
    if stack.owner_id is not None:
        return {'template': None, 'parameters': None}
    return {'template': _plain({
        section: _without(content, hidden) if section in _SECTIONS
        else content for section, content in stack.t.t.items()}),
        'parameters': _values(stack, hidden)}


def _values(stack, hidden):
    left_out = hidden.union(stack.env.param_defaults)
    return {name: _value(stack.parameters, name)
            for name in stack.parameters.params if name not in left_out}


def _value(parameters, name):
    try:
        return _plain(parameters[name])
    except Exception:
        # It has no value; the error may name another one.
        return None


def _without(schemata, hidden):
    return {name: schema for name, schema in (schemata or {}).items()
            if name not in hidden}


def _plain(value):
    """Return a value as it would be read from a database."""
    return json.loads(json.dumps(value, default=str))
