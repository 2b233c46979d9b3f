# SPDX-License-Identifier: Apache-2.0

"""The hidden parameters of a stack tree, in all templates that it can have."""

import contextlib

from heat.common import template_format
from heat.engine import template as heat_template


class HiddenParameters:
    """The names of hidden parameters.

    :param stack: the current heat.engine.stack.Stack.
    :param updated: the stack with its new template.
    :param entries: each :class:`tree_plan.Entry` of the update.
    :ivar names: all names that a template of the tree hides. A template can
        be the template of a nested stack, also a possible one.
    :ivar of_root: sorted names of the parameters of the new root template that
        are hidden, also those that only the current template hides.
    """

    def __init__(self, stack, updated, entries):
        self.of_root = list_of_root(stack, updated)
        self._current = _list_hidden(stack.t)
        self._files = list(_files(stack, updated))
        self._nested = list(_nested_templates(entries))
        self.names = self._current.union(self.of_root, *(
            _list_hidden(template)
            for _, template in (*self._files, *self._nested)), *(
            _list_hidden(template)
            for plan in {id(each.plan): each.plan for each in entries}.values()
            for template in plan.templates()))

    def list_defaults(self):
        """List the parameters that must not have a default in an environment.

        A default can be in use by several templates. The file of an update has
        no defaults of hidden root parameters, so other templates would miss
        them.

        :returns: sorted pairs of the name of a parameter and a template: its
            file, the path of its nested stack, or an empty text for the
            current root.
        """
        root = set(self.of_root)
        found = {(name, '') for name in self._current - root}
        found |= _list_in(self._files, root)
        known = {name for name, _ in found}
        # For example, of the global environment.
        return sorted(found | {
            (name, path) for name, path in _list_in(self._nested, root)
            if name not in known})


def list_of_root(stack, updated):
    """List ``of_root`` of :class:`HiddenParameters`."""
    current = _list_hidden(stack.t)
    return sorted(name for name, schema in updated.t.param_schemata().items()
                  if schema.hidden or name in current)


def _list_in(templates, root):
    return {(name, path) for path, template in templates
            for name in _list_hidden(template) | (
                root & template.param_schemata().keys())}


def _list_hidden(template):
    return {name for name, schema in template.param_schemata().items()
            if schema.hidden}


def _files(*stacks):
    for stack in stacks:
        for path, text in stack.t.files.items():
            # Most other files are not valid templates.
            with contextlib.suppress(Exception):
                template = heat_template.Template(template_format.parse(text))
                template.param_schemata()
                yield path, template


def _nested_templates(entries):
    for path, plan in {'/'.join(entry.path[:-1]): entry.plan
                       for entry in entries if len(entry.path) > 1}.items():
        yield path, plan.stack.t
        yield path, plan.planned.t
