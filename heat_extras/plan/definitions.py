# SPDX-License-Identifier: Apache-2.0

"""The current and the new definition of a stack, without predictions."""

import copy
import functools

from heat.engine import function
from heat.engine import resource
from heat.engine.resources import stack_resource
from heat.engine import stk_defn
from heat.engine import template as heat_template

from heat_extras.heat_internals import object_data
from heat_extras.heat_internals import resource_rows


def cached(method):
    """Cache the results of a method of a plan, by argument."""
    @functools.wraps(method)
    def find(self, argument):
        key = method, argument
        if key not in self.results:
            self.results[key] = method(self, argument)
        return self.results[key]
    return find


class Definitions:
    """A stack and its new template.

    Resource objects are created on first use: most plans need only a few.

    :param stack: the current stack. It cannot be used for anything else.
    :param template: its new template, with its environment.
    :ivar planned: the same stack with the new template.
    """

    def __init__(self, stack, template):
        self.stack, self.results = stack, {}
        self.present = resource_rows.Rows(stack)
        self.rows = self.present.by_name
        self.planned = object_data.copy_stack(stack)
        self.planned._resources = self.planned._dependencies = None
        self.planned.defn = stack.defn.clone_with_new_template(
            template, stack.identifier())
        self.planned._set_param_stackid()
        # The feature "parameters" adds it. An update of the stack does this.
        if keep := getattr(stack.parameters, 'keep_stored_spelling', None):
            keep(self.planned.parameters, template.env.params)
        self._has_same_registry = _registry(stack) == _registry(self.planned)

    @functools.cached_property
    def new_names(self):
        """The names of the resources that the new template enables."""
        return self.planned.defn.enabled_rsrc_names()

    def existing_names(self):
        """List the names of resources that an update could destroy."""
        return sorted(filter(self.exists, self.rows))

    def written_type(self, name):
        """Return the type of a resource in the new template."""
        raw = self.raw(name).get(self.planned.t.RES_TYPE)
        return raw if isinstance(raw, str) else None

    def exists(self, name):
        row = self.rows.get(name)
        return row is not None and not resource_rows.is_gone(row)

    def has_predecessor(self, name):
        """Return whether an update will delete a resource's predecessor."""
        return self.present.has_predecessor(name)

    def templates(self):
        """List the current and the new template, and those of resources."""
        ids = {row.current_template_id for row in self.rows.values()}
        defns = filter(None, map(self._with_template, {None, *ids}))
        return [*{id(defn.t): defn.t for defn in defns}.values(),
                self.planned.t]

    def current_definition(self, name):
        """Return the definition that a resource was last updated to.

        :returns: None if no existing template contains it.
        """
        return self.definition_of(self.rows[name])

    def definition_of(self, row):
        """Return the definition of a resource by one of its rows."""
        defn = self._with_template(row.current_template_id)
        if defn is None or row.name not in defn.enabled_rsrc_names():
            return None
        return defn.resource_definition(row.name)

    @cached
    def _with_template(self, template_id):
        """Return the stack definition with one of its templates, or None."""
        if template_id in (None, self.stack.t.id):
            return self.stack.defn
        try:
            old = heat_template.Template.load(self.stack.context, template_id)
        except Exception:
            return None
        return self.stack.defn.clone_with_new_template(
            old, self.stack.identifier())

    def new_definition(self, name):
        return self.planned.defn.resource_definition(name)

    def raw(self, name):
        """Return a resource as it is in the new template."""
        template = self.planned.t
        return template.t[template.RESOURCES][name]

    def parse(self, raw):
        """Parse a part of the new template.

        :returns: the part, and the stack definition that its functions refer
            to. They refer to it weakly, so the caller must keep it.
        """
        # A copy, because Heat caches results of conditions by definition.
        definition = copy.copy(self.planned.defn)
        return self.planned.t.parse(definition, raw), definition

    @cached
    def current(self, name):
        """Return the resource with its current definition."""
        return self.load_current(name)

    def load_current(self, name):
        """Return a new copy of the current resource, which may be changed."""
        defn = self._with_template(self.rows[name].current_template_id)
        with self.stack._previous_definition(defn):
            # The class is already known, so Heat need not look it up.
            return self.current_type(name)(
                name, defn.resource_definition(name), self.stack)

    def new_with(self, definition):
        """Return a resource of the new stack with a given definition."""
        return resource.Resource(definition.name, definition, self.planned)

    @cached
    def current_type(self, name):
        """Return the class of a current resource."""
        return _resource_class(
            self._with_template(self.rows[name].current_template_id), name)

    def new_type(self, name):
        """Return the class of a resource in the new template."""
        if (self._has_same_registry and self.exists(name)
                and self.current_definition(name).resource_type
                == self.new_definition(name).resource_type):
            return self.current_type(name)
        return _resource_class(self.planned.defn, name)

    def changes_type(self, name):
        """Return whether a resource is replaced because of its type."""
        before, after = self.current_type(name), self.new_type(name)
        return before is not after and not before.check_is_substituted(after)

    def becomes_nested(self, name):
        """Return whether a resource has a nested stack after the update."""
        return name in self.new_names and issubclass(
            self.new_type(name), stack_resource.StackResource)

    def is_nested(self, name):
        """Return whether a resource has a nested stack that exists."""
        return (self.exists(name)
                and self.rows[name].physical_resource_id is not None
                and self.current_definition(name) is not None
                and issubclass(self.current_type(name),
                               stack_resource.StackResource))

    @cached
    def requirements(self, name):
        """Return the names that the new definition of a resource refers to.

        :returns: all names, and the names of resources whose attributes are
            used.
        """
        definition = self.new_definition(name)
        return _referenced_names([
            definition._properties, definition._metadata,
            definition._update_policy])

    def resolve_current_references(self, name, with_properties=False):
        """Set the values of references in the current definition.

        Heat stores only the resolved properties.
        """
        defn = self._with_template(self.rows[name].current_template_id)
        definition = defn.resource_definition(name)
        for other in _referenced_names([
                definition._metadata, definition._update_policy,
                definition._properties if with_properties else None])[0]:
            if self.exists(other):
                stk_defn.update_resource_data(
                    defn, other, self.current(other).node_data(defn))


def _resource_class(defn, name):
    return defn.env.registry.get_class_to_instantiate(
        defn.resource_definition(name).resource_type, resource_name=name)


def _registry(stack):
    return stack.env.user_env_as_dict().get('resource_registry')


def _referenced_names(snippet):
    """Return the names as :meth:`Definitions.requirements`."""
    names = {proxy.name for proxy in function.dependencies(snippet)}
    return names, {name for name, _ in function.all_dep_attrs(snippet)}
