# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.

"""Describe an action to a service, without hidden parameters."""

from heat_extras.lifecycle.plugins import hidden
from heat_extras.lifecycle import view

VERSION = 1

_MADE = ('CREATE', 'ADOPT')


def describe(context, stack, new_stack, action, **call):
    """Describe one call.

    :param call: which one, and how the action ended.
    :returns: what JSON can take.
    """
    operation_id = stack.operation_id
    stack, new_stack = view._unwrap(stack), new_stack and view._unwrap(
        new_stack)
    old = None if action in _MADE else stack
    new = stack if action in _MADE else new_stack
    # What a nested stack was made of may be older than what the stacks
    # around it still know to be hidden.
    is_bare = bool(stack.owner_id and hidden.around(stack))
    texts = hidden.values(old, new)
    about = {
        'version': VERSION, 'operation_id': operation_id, 'action': action,
        **call, 'user': {'id': context.user_id, 'roles': context.roles,
                         'project': context.project_id},
        'stack': _about(stack, context, texts)}
    return {**about,
            'old': old and _content(old, texts, is_bare),
            'new': new and _content(new, texts, False)}


def _about(stack, context, texts):
    return {'id': stack.id, 'name': hidden.masked(stack.name, texts),
            'owner': stack.owner_id, 'project': stack.tenant_id,
            'tags': hidden.masked(list(stack.tags or ()), texts),
            'domain': getattr(context, 'project_domain_id', None)}


def _content(stack, texts, is_bare):
    template = stack.t.t
    if is_bare:
        section = template.get(stack.t.RESOURCES) or {}
        return {'template': hidden.masked({stack.t.RESOURCES: {
            name: {key: value for key, value in definition.items()
                   if key in ('type', 'Type')}
            for name, definition in section.items()}}, texts),
            'parameters': None}
    return {'template': hidden.masked(_without_hidden(stack), texts),
            'parameters': _parameters(stack, texts)}


def _without_hidden(stack):
    # The values that a constraint allows would tell by a gap which it is.
    section = stack.t.PARAMETERS
    declared = stack.t.t.get(section) or {}
    return {**stack.t.t, section: {
        name: {**{key: value for key, value in schema.items()
                  if key in ('type', 'Type')}, 'hidden': True}
        if name in stack.parameters.params
        and stack.parameters.params[name].hidden() else schema
        for name, schema in declared.items()}}


def _parameters(stack, texts):
    return {name: hidden.MASK if parameter.hidden()
            else hidden.masked(_value(parameter), texts)
            for name, parameter in stack.parameters.params.items()}


def _value(parameter):
    try:
        return parameter.value()
    except Exception:
        # It has none; Heat will tell the user so.
        return None
