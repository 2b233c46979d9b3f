# SPDX-License-Identifier: Apache-2.0

"""The plan of one stack of a tree: its current and its new definition.

Heat's own preview (heat.engine.update.StackUpdate.preview) is not used. It
resolves references in a stack without resources and reports all of them as
changed.
"""

import copy
import functools

from heat.engine import function
from heat.engine import resource
from heat.engine.resources import stack_resource
from heat.engine import stack as heat_stack
from heat.engine import stk_defn
from heat.engine import template as heat_template

from heat_extras.heat_internals import object_data
from heat_extras.heat_internals import resource_rows
from heat_extras.plan import known_attributes
from heat_extras.plan import known_parts
from heat_extras.plan import nested_plan
from heat_extras.plan import resource_plan
from heat_extras.plan import stack_diff
from heat_extras.plan import unknown

#: The states of resources that do not exist.
GONE = (('INIT', 'COMPLETE'), ('DELETE', 'COMPLETE'))


def load_stack(context, stack_id):
    """Load a separate copy of a stack for a plan."""
    return heat_stack.Stack.load(context, stack_id=stack_id)


def plan_update(stack, updated, is_preview=False):
    """Return the :class:`StackPlan` of an update, the same for all callers.

    :param stack: the current heat.engine.stack.Stack. It is not changed.
    :param updated: the stack with its new template.
    :param is_preview: whether Heat no longer uses the stack.
    """
    data = object_data.of_stack(updated)
    plan = data.plan
    # Without convergence, another operation may have changed the stack.
    if plan is None or not (stack.convergence or is_preview):
        plan = StackPlan(object_data.copy_stack(stack) if is_preview
                         else load_stack(stack.context, stack.id), updated.t)
        data.plan = plan
    return plan


def _cached(method):
    """Cache the results of a method of a plan, by argument."""
    @functools.wraps(method)
    def cached(self, argument):
        key = method, argument
        if key not in self.results:
            self.results[key] = method(self, argument)
        return self.results[key]
    return cached


class StackPlan:
    """A stack and its new template.

    Resource objects are created on first use: most plans need only a few.

    :param stack: the current stack. It cannot be used for anything else.
    :param template: its new template, with its environment.
    :param inputs: the :class:`nested_plan.Inputs` of a nested stack.
    :ivar planned: the same stack with the new template.
    :ivar results: the cached results of methods.
    """

    def __init__(self, stack, template, inputs=nested_plan.KNOWN):
        self.stack, self.inputs = stack, inputs
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
        unknown.hide_parameters(self.planned.parameters, inputs.parameters)
        self._may_hide = (
            unknown.hide_parent(self.planned, inputs.keeps_policies)
            or inputs.is_any_hidden or unknown.has_marker(template.t))
        self._resources = resource_plan.ResourcePlan(self)
        self.results, self._resolved = {}, set()
        self._has_same_registry = stack_diff.has_same_registry(
            stack, self.planned)

    def predict(self, name):
        """Return the :class:`change.Change` of a resource."""
        return self._resources.predict(name)

    @functools.cached_property
    def new_names(self):
        """The names of the resources that the new template enables."""
        return self.planned.defn.enabled_rsrc_names()

    def existing_names(self):
        """List the names of resources that an update could destroy."""
        return sorted(filter(self.exists, self.rows))

    def possible_names(self):
        """Return the names of all resources, including possible additions."""
        template = self.planned.t
        written = template.t.get(template.RESOURCES) or {}
        return {*self.existing_names(), *self.new_names, *(
            name for name in written if self._may_hide
            and not self.is_enabled_for_certain(name))}

    def written_type(self, name):
        """Return the type of a resource in the new template."""
        raw = self._raw(name).get(self.planned.t.RES_TYPE)
        return raw if isinstance(raw, str) else None

    def exists(self, name):
        row = self.rows.get(name)
        return row is not None and (row.action, row.status) not in GONE

    def has_predecessor(self, name):
        """Return whether an update will delete a resource's predecessor."""
        return self.present.has_predecessor(name)

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

    @_cached
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

    def known_definition(self, name, marked=()):
        """Return the new definition with present values for unknown ones.

        :param marked: names of properties that keep each MARKER.
        """
        hidden = self.unresolved(name)
        definition = self.new_definition(name)
        has_unresolved_rest = self.has_unresolved_rest(name)
        if not (hidden or has_unresolved_rest):
            return definition
        current = self.current(name).frozen_definition()
        before = current._properties or {}
        known = copy.copy(definition)
        known._rendering = None
        if has_unresolved_rest:
            known._metadata = unknown.fill_markers(known_parts.resolve_known(
                self._raw(name).get(self.planned.t.RES_METADATA),
                self.parse), current._metadata)
            known._update_policy = current._update_policy
        if unknown.ALL in hidden:
            known._properties = before
        elif hidden:
            known._properties = dict(definition._properties)
            for key, value in hidden.items():
                if key not in marked:
                    value = unknown.fill_markers(value, before.get(key))
                if value is None:
                    del known._properties[key]
                else:
                    known._properties[key] = value
        return known

    @_cached
    def unresolved(self, name):
        """Return the properties with unknown values.

        :returns: their values, by name, with an :data:`unknown.MARKER` for
            each unknown value. The name is :data:`unknown.ALL` if a function
            returns all properties.
        """
        self.resolve_references(name)
        if not (self._may_hide or self._refers_to_changes(name)):
            return {}
        raw = self._raw(name).get(self.planned.t.RES_PROPERTIES) or {}
        if self.inputs.hides_properties:
            return {unknown.ALL: unknown.MARKER}
        if not isinstance(self.parse(raw)[0], dict):
            value = known_parts.resolve_known(raw, self.parse)
            return {unknown.ALL: value} if unknown.has_marker(value) else {}
        values = {key: known_parts.resolve_known(value, self.parse)
                  for key, value in raw.items()}
        return {key: value for key, value in values.items()
                if unknown.has_marker(value)}

    def sources(self, name, key):
        """Return each unknown.Source of an unresolved property, sorted."""
        raw = self._raw(name).get(self.planned.t.RES_PROPERTIES) or {}
        parsed, _definition = self.parse(raw if key == unknown.ALL
                                         else raw[key])
        with unknown.collect_queries() as queries:
            function.resolve(function.resolve(parsed))
        return tuple(sorted(set(filter(None, queries))))

    @_cached
    def has_unresolved_rest(self, name):
        """Return whether parts other than properties are not known."""
        template = self.planned.t
        return (self._may_hide or self._refers_to_changes(name)) and any(
            unknown.has_marker(known_parts.resolve_known(
                self._raw(name).get(key), self.parse))
            for key in (template.RES_METADATA, template.RES_UPDATE_POLICY))

    def _raw(self, name):
        template = self.planned.t
        return template.t[template.RESOURCES][name]

    def parse(self, raw):
        """Parse a part of the new template.

        :returns: the part, and the stack definition that its functions refer
            to. They refer to it weakly, so the caller must keep it.
        """
        # A copy, because Heat caches results of conditions by definition.
        definition = copy.copy(self.planned.defn)
        return (self.planned.t.parse(definition, copy.deepcopy(raw)),
                definition)

    @_cached
    def known_value(self, key):
        """Return what :func:`known_attributes.find_value` returns.

        :param key: a pair of the name of a resource and the attribute.
        """
        return known_attributes.find_value(self, *key)

    @_cached
    def _refers_to_changes(self, name):
        everything, attributes = self.requirements(name)
        return any(self._may_change(other, other in attributes)
                   for other in everything)

    def _may_change(self, other, is_attribute):
        if other not in self.new_names:
            return False
        if not self.exists(other):
            return True
        is_attribute = is_attribute or (
            known_attributes.has_reference_output(self, other))
        return not known_attributes.keeps_reference(self, other) or (
            is_attribute and self.changes_attributes(other))

    @_cached
    def changes_attributes(self, name):
        """Return whether the attributes of a resource may change."""
        if not resource_plan.keeps_attributes(self, name):
            return True
        if not (self.is_nested(name) and name in self.new_names):
            return False
        child = self.child(name)
        return not all(map(child.exists, child.new_names)) or any(
            map(child.changes_attributes, child.existing_names()))

    def is_enabled_for_certain(self, name):
        """Return whether it is known if a new resource is enabled."""
        if name in self.inputs.uncertain_names or not self.inputs.is_known:
            return False
        return not self._may_hide or unknown.is_condition_known(
            self.planned.defn, name)

    @_cached
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

    @_cached
    def new(self, name):
        """Return the resource with its new definition and present state."""
        self.resolve_references(name)
        return self.new_with(self.new_definition(name))

    def new_with(self, definition):
        """Return a resource of the new stack with a given definition."""
        return resource.Resource(definition.name, definition, self.planned)

    @_cached
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

    def is_nested(self, name):
        """Return whether a resource has a nested stack that exists."""
        return (self.rows[name].physical_resource_id is not None
                and self.current_definition(name) is not None
                and issubclass(self.current_type(name),
                               stack_resource.StackResource))

    def keeps_nested(self, name):
        """Return whether a nested stack exists and will not be replaced."""
        return self.is_nested(name) and self.predict(name).keeps_id

    @_cached
    def child(self, name):
        """Return the StackPlan of a nested stack that is updated."""
        stack = load_stack(self.stack.context,
                           self.rows[name].physical_resource_id)
        return StackPlan(stack, *nested_plan.updated_template(self, name))

    @_cached
    def new_child(self, name):
        """Return the StackPlan of a nested stack that is created."""
        stack, inputs = nested_plan.new_stack_of(self, name)
        return StackPlan(stack, stack.t, inputs)

    @_cached
    def requirements(self, name):
        """Return the names that the new definition of a resource refers to.

        :returns: all names, and the names of resources whose attributes are
            used.
        """
        definition = self.new_definition(name)
        return unknown.referenced_names([
            definition._properties, definition._metadata,
            definition._update_policy])

    def resolve_references(self, name):
        """Set the known values of all references in a definition."""
        for other in self.requirements(name)[0] - self._resolved:
            if other in self.new_names:
                self._resolved.add(other)
                self.resolve_resource(other)

    def resolve_resource(self, name, for_outputs=False):
        """Set the known values of references to a resource."""
        stk_defn.update_resource_data(self.planned.defn, name,
                                      self._node_data(name, for_outputs))

    def resolve_current_references(self, name):
        """Set the values of references in the current definition.

        Heat stores only the resolved properties.
        """
        defn = self._with_template(self.rows[name].current_template_id)
        definition = defn.resource_definition(name)
        for other in unknown.referenced_names([
                definition._metadata, definition._update_policy])[0]:
            if self.exists(other):
                stk_defn.update_resource_data(
                    defn, other, self.current(other).node_data(defn))

    def _node_data(self, name, for_outputs):
        self.predict(name)
        if self.exists(name) and not self.changes_attributes(name):
            return self.current(name).node_data(self.planned.defn,
                                                for_outputs=for_outputs)
        return known_attributes.changed_data(self, name)


def _resource_class(defn, name):
    return defn.env.registry.get_class_to_instantiate(
        defn.resource_definition(name).resource_type, resource_name=name)
