# SPDX-License-Identifier: Apache-2.0

"""One stack of a tree, as it is and as an update would make it.

Not built on Heat's own preview (heat.engine.update.StackUpdate.preview):
that one resolves references in a stack that has no resources yet, and so
takes them all for changed.
"""

import copy

from heat.engine import function
from heat.engine import resource
from heat.engine.resources import stack_resource
from heat.engine import stack as heat_stack
from heat.engine import stk_defn
from heat.engine import template as heat_template

from heat_extras.update_plan import nested_plan
from heat_extras.update_plan import resource_rows

#: Of resources that are not there.
GONE = (('INIT', 'COMPLETE'), ('DELETE', 'COMPLETE'))


def load(context, stack_id):
    """Load a stack to plan with, apart from the one that is updated."""
    return heat_stack.Stack.load(context, stack_id=stack_id)


class StackPlan:
    """A stack and its new template.

    Resources are made one by one, when they are asked for: most need none.

    :ivar stack: the stack as it is; nobody else's.
    :ivar planned: the same stack with the new template.
    """

    def __init__(self, stack, template):
        self.stack = stack
        self._present = resource_rows.Rows(stack)
        self.rows = self._present.by_name
        self.planned = copy.copy(stack)
        self.planned._resources = self.planned._dependencies = None
        self.planned.defn = stack.defn.clone_with_new_template(
            template, stack.identifier())
        self.planned._set_param_stackid()
        self._definitions = {}
        self._current, self._new, self._known = {}, {}, set()
        self._types, self._requirements, self._frozen = {}, {}, {}
        self._children = {}
        self._has_same_registry = (
            _registry(stack) == _registry(self.planned))

    @property
    def new_names(self):
        """The names of the resources that the new template enables."""
        return self.planned.defn.enabled_rsrc_names()

    def existing_names(self):
        """List the names of resources that an update could destroy."""
        return sorted(name for name, row in self.rows.items()
                      if (row.action, row.status) not in GONE)

    def exists(self, name):
        row = self.rows.get(name)
        return row is not None and (row.action, row.status) not in GONE

    def has_predecessor(self, name):
        """Return whether an update will destroy what was to be replaced."""
        return self._present.has_predecessor(name)

    def current_definition(self, name):
        """Return the definition that a resource was last updated to.

        :returns: None when it is in no template that is left.
        """
        return self.definition_of(self.rows[name])

    def definition_of(self, row):
        """Return the same for any row of the stack."""
        defn = self._definition_of_template(row)
        if defn is None or row.name not in defn.enabled_rsrc_names():
            return None
        return defn.resource_definition(row.name)

    def _definition_of_template(self, row):
        wanted = row.current_template_id
        if wanted is None or wanted == self.stack.t.id:
            return self.stack.defn
        if wanted not in self._definitions:
            try:
                old = heat_template.Template.load(self.stack.context, wanted)
            except Exception:
                self._definitions[wanted] = None
            else:
                self._definitions[wanted] = (
                    self.stack.defn.clone_with_new_template(
                        old, self.stack.identifier()))
        return self._definitions[wanted]

    def new_definition(self, name):
        return self.planned.defn.resource_definition(name)

    def new_frozen(self, name):
        """Return the new definition with references as they are now."""
        if name not in self._frozen:
            self.resolve_references(name)
            self._frozen[name] = self.new_definition(name).freeze()
        return self._frozen[name]

    def current(self, name):
        """Return the resource as it is."""
        if name not in self._current:
            defn = self._definition_of_template(self.rows[name])
            with self.stack._previous_definition(defn):
                # The class is known: Heat would look it up once more.
                found = self.current_type(name)(
                    name, defn.resource_definition(name), self.stack)
            self._current[name] = found
        return self._current[name]

    def new(self, name):
        """Return the resource with its new definition and present state."""
        if name not in self._new:
            self.resolve_references(name)
            self._new[name] = resource.Resource(
                name, self.new_definition(name), self.planned)
        return self._new[name]

    def current_type(self, name):
        """Return the class of a resource as it is."""
        if name not in self._types:
            self._types[name] = _type(
                self._definition_of_template(self.rows[name]), name)
        return self._types[name]

    def new_type(self, name):
        """Return the class of a resource in the new template."""
        if (self._has_same_registry
                and self.current_definition(name).resource_type
                == self.new_definition(name).resource_type):
            return self.current_type(name)
        return _type(self.planned.defn, name)

    def is_nested(self, name):
        """Return whether a resource has a nested stack that exists."""
        return (self.rows[name].physical_resource_id is not None
                and issubclass(self.current_type(name),
                               stack_resource.StackResource))

    def child(self, name):
        """Return the definition of a nested stack after the update.

        :returns: a heat.engine.stk_defn.StackDefinition.
        """
        if name not in self._children:
            self._children[name] = nested_plan.definition(
                self.new(name), self.current(name))
        return self._children[name]

    def requirements(self, name):
        """Return the names that the new definition of a resource refers to.

        :returns: those whose reference is used, and those of which only an
            attribute is.
        """
        if name not in self._requirements:
            self._requirements[name] = referenced(
                self.new_definition(name)._properties)
        return self._requirements[name]

    def resolve_references(self, name):
        """Let references of a definition resolve to what exists now."""
        for other in self.requirements(name)[0]:
            if other not in self._known and other in self.new_names:
                self._known.add(other)
                if self.exists(other) and self.current_definition(other):
                    data = self.current(other).node_data(self.planned.defn)
                else:
                    data = self.new(other).node_data(self.planned.defn)
                stk_defn.update_resource_data(self.planned.defn, other, data)


def referenced(snippet):
    """Return the names of resources in a snippet.

    :returns: a set of all, and a set of those of which an attribute is
        used.
    """
    names = {proxy.name for proxy in function.dependencies(snippet)}
    return names, {name for name, _ in function.all_dep_attrs(snippet)}


def _registry(stack):
    return stack.env.user_env_as_dict().get('resource_registry')


def _type(defn, name):
    return defn.env.registry.get_class_to_instantiate(
        defn.resource_definition(name).resource_type, resource_name=name)
