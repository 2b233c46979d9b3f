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

"""Values of hidden parameters, to be kept from others.

A hidden parameter's value may reach a nested stack as an ordinary one, or
written into a template that Heat generates. So the stacks around a stack are
looked at, too, as they are and as they were before a running update.

Imports nothing of Heat before it is needed.
"""

import json

MASK = '******'


def values(*stacks):
    """Collect the hidden values of stacks, and of those around them.

    :param stacks: of :class:`heat.engine.stack.Stack`; None is left out.
    :returns: a set of texts.
    """
    found, seen = set(), set()
    for stack in filter(None, stacks):
        found |= of_parameters(stack.parameters)
        if stack.owner_id and stack.owner_id not in seen:
            seen.add(stack.owner_id)
            found |= around(stack)
    return found


def around(stack):
    """Collect the hidden values of the stacks around a nested one."""
    from heat.engine import stack as heat_stack
    found, owner = set(), stack.owner_id
    while owner:
        parent = heat_stack.Stack.load(stack.context, stack_id=owner,
                                       show_deleted=True)
        found |= of_parameters(parent.parameters)
        found |= _previous(parent)
        owner = parent.owner_id
    return found


def _previous(stack):
    from heat.engine import template as templates
    if stack.prev_raw_template_id is None:
        return set()
    template = templates.Template.load(stack.context,
                                       stack.prev_raw_template_id)
    return of_parameters(template.parameters(
        stack.identifier(), template.env.params,
        param_defaults=template.env.param_defaults))


def of_parameters(parameters):
    """Collect the hidden values and defaults of Heat's Parameters."""
    return {text for parameter in parameters.params.values()
            if parameter.hidden()
            for value in _all_values(parameter) for leaf in _leaves(value)
            for text in _spellings(leaf) if text}


def _all_values(parameter):
    yield parameter.user_value
    yield parameter.schema.default
    try:
        yield parameter.value()
    except Exception:
        # It has none; Heat will tell the user so.
        return


def _leaves(value):
    if isinstance(value, dict):
        for item in value.values():
            yield from _leaves(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _leaves(item)
    elif value is not None and not isinstance(value, bool):
        yield str(value)


def _spellings(text):
    # As it is within JSON, which templates make of maps and lists.
    yield text
    for is_ascii in (True, False):
        yield json.dumps(text, ensure_ascii=is_ascii)[1:-1]


def masked(value, texts):
    """Replace what contains one of the hidden texts, down to each leaf."""
    if isinstance(value, dict):
        return {str(masked(key, texts)): masked(item, texts)
                for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [masked(item, texts) for item in value]
    if value is None or isinstance(value, bool):
        return value
    said = str(value)
    return MASK if any(text in said for text in texts) else value
