# SPDX-License-Identifier: Apache-2.0

"""What of a stack is known to be free of hidden parameters.

A root stack has the templates that its user wrote, and the values that came
with them: free are those of parameters that are not hidden. A nested stack
has what Heat has made of the stacks around it, and these may have had other
templates by then. So it is made once more, of what is free there, and free is
what comes out the same.
"""

import dataclasses
import functools

from heat.common import exception
from heat.engine import stack as heat_stack
from heat.engine import template as templates

from heat_extras.plugins import declared
from heat_extras.plugins import hidden
from heat_extras.plugins import once
from heat_extras.plugins import remake
from heat_extras.plugins import withheld


def views(stack, shown):
    """Look at a stack, and at the stacks around it.

    :param stack: the :class:`heat.engine.stack.Stack` as it is.
    :param shown: the same with one template or another.
    :returns: a :class:`View` for each of them.
    """
    around = _around(stack)
    # A stack without resources counts as false.
    names = frozenset().union(*(
        _hidden_names(template)
        for one in [*shown, *around] if one is not None
        for template in (one.t, *_previous(one))))
    above = None
    for owner in reversed(around):
        above = [View(owner, template, names, above)
                 for template in (owner.t, *_previous(owner))
                 ] if owner is not None else []
    return [View(one, one.t, names, above) for one in shown]


def _around(stack):
    # The nearest first; None for one that is not there any more.
    found, owner = [], stack.owner_id
    while owner:
        try:
            parent = heat_stack.Stack.load(stack.context, stack_id=owner,
                                           show_deleted=True)
        except exception.NotFound:
            return [*found, None]
        found.append(parent)
        owner = parent.owner_id
    return found


def _previous(stack):
    if stack.prev_raw_template_id is None:
        return []
    try:
        return [templates.Template.load(stack.context,
                                        stack.prev_raw_template_id)]
    except exception.NotFound:
        return []


def _hidden_names(template):
    # One environment gives parameters of one name to all templates.
    return hidden.names(template.t).union(*(
        declared.names(template.files[name]) for name in template.files))


@dataclasses.dataclass(frozen=True)
class View:
    """A stack with one of its templates, as far as it is free.

    :param names: of the parameters that are hidden in one of the templates
        of the tree, or were.
    :param above: the views of the stack around it; None for a root.
    """

    stack: object
    template: object
    names: frozenset
    above: list | None

    @once.Once
    def name(self):
        """The name of the stack, which has that of the resource around it."""
        if self.above is None or any(
                one.name != hidden.MASK
                and self.stack.parent_resource_name in one.resources
                for one in self.above):
            return self.stack.name
        return hidden.MASK

    @once.Once
    def document(self):
        """The template, or a mark."""
        written = remake.plain(self.template.t)
        if self.above is not None:
            written = hidden.merged(written, [
                origin.document for origin in self._origins])
        if not isinstance(written, dict):
            return hidden.MASK
        return hidden.bare(written, self.names)

    @once.Once
    def resources(self):
        """The section of the document, where there is one."""
        found = (self.document.get(self.template.RESOURCES)
                 if isinstance(self.document, dict) else None)
        return found if isinstance(found, dict) else {}

    @once.Once
    def parameters(self):
        """The values of the parameters, or a mark."""
        values = remake.values(self._parameters)
        if self.above is None:
            return {name: self._unless_hidden(name, value)
                    for name, value in values.items()}
        if not self._origins:
            return hidden.MASK
        told = hidden.merged(values, [
            origin.parameters for origin in self._origins])
        return {name: self._unless_hidden(name, value)
                for name, value in told.items()}

    @property
    def _parameters(self):
        if self.template is self.stack.t:
            return self.stack.parameters
        env = self.template.env
        return self.template.parameters(
            self.stack.identifier(), env.params,
            param_defaults=env.param_defaults)

    def _unless_hidden(self, name, value):
        # Names with a colon are Heat's; they tell the name of the stack.
        is_hidden = name in self.names or (
            ':' in name and self.name == hidden.MASK)
        return hidden.MASK if is_hidden else value

    @once.Once
    def _origins(self):
        found = (one.make(self.stack, self.template) for one in self.above)
        return [origin for origin in found if origin is not None]

    @once.Once
    def secret(self):
        """The names of the parameters that are not known to be free."""
        told = self.parameters if isinstance(self.parameters, dict) else {}
        return set(self.names) | {
            name for name in self._parameters.params
            if name not in told or hidden.is_marked(told[name])}

    def definition(self, name):
        """Return the definition of a resource, with marks.

        :returns: None when it can't be worked out.
        """
        return self._attempt(lambda found, definition: definition, name)

    def make(self, child, template):
        """Make a nested stack of what is free here.

        :param child: the stack as it is; it is not changed.
        :param template: the one that it has.
        :returns: a :class:`remake.Origin`, or None.
        """
        return self._attempt(functools.partial(
            remake.make, self.stack, child, template),
            child.parent_resource_name)

    @withheld.unless_withheld
    def _attempt(self, use, name):
        return use(*withheld.definition(
            self.stack, self.template, self.document, name, self.secret))
