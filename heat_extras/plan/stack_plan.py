# SPDX-License-Identifier: Apache-2.0

"""The plan of an update: the current and the new definition of a stack.

Heat's own preview (heat.engine.update.StackUpdate.preview) is not used. It
resolves references in a stack without resources and reports all of them as
changed.
"""

import copy

from heat.engine import function
from heat.engine import stack as heat_stack
from heat.engine import stk_defn

from heat_extras.heat_internals import object_data
from heat_extras.plan import definitions
from heat_extras.plan import known_attributes
from heat_extras.plan import nested_plan
from heat_extras.plan import resource_plan
from heat_extras.plan import unknown
from heat_extras import rpc_request


def plan_update(stack, updated):
    """Return the :class:`StackPlan` of an update, the same for all callers.

    :param stack: the current heat.engine.stack.Stack. It is not changed.
    :param updated: the stack with its new template.
    """
    data = object_data.of_stack(updated)
    is_preview = rpc_request.operation() == rpc_request.PREVIEW
    # Without convergence, another operation may have changed the stack.
    if data.plan is None or not (stack.convergence or is_preview):
        # Heat no longer uses the stack of a preview.
        data.plan = (StackPlan(object_data.copy_stack(stack), updated.t)
                     if is_preview
                     else load_plan(stack.context, stack.id, updated.t))
    return data.plan


def plan_create(stack):
    """Return the :class:`StackPlan` of a stack that is created.

    :param stack: the new heat.engine.stack.Stack. It is not changed.
    """
    created = object_data.copy_stack(stack)
    # Only this action is in progress. It adds the resources that the legacy
    # engine has stored already.
    created.status = stack.COMPLETE
    return StackPlan(created, stack.t)


def load_plan(context, stack_id, template=None, inputs=nested_plan.KNOWN,
              queries=None):
    """Return the :class:`StackPlan` of a separate copy of a stack.

    :param template: the new template. Without it, the stack does not change.
    """
    stack = heat_stack.Stack.load(context, stack_id=stack_id)
    return StackPlan(stack, stack.t if template is None else template,
                     inputs, queries)


class StackPlan(definitions.Definitions):
    """What an update does to a stack: the result of :func:`plan_update`.

    :param inputs: the :class:`nested_plan.Inputs` of a nested stack.
    :param queries: the :class:`unknown.Queries` of the stack tree.
    """

    def __init__(self, stack, template, inputs=nested_plan.KNOWN,
                 queries=None):
        super().__init__(stack, template)
        self.inputs, self.queries = inputs, queries or unknown.Queries()
        self._changes, self._resolved, self._sources = {}, set(), {}
        generated = _list_generated(self.planned)
        unknown.hide_parameters(
            self.planned.parameters,
            {**dict.fromkeys(generated, unknown.MARKER), **inputs.parameters},
            self.queries)
        self._may_hide = (
            unknown.hide_parent(self.planned, inputs.keeps_policies,
                                self.queries)
            or bool(generated) or inputs.is_any_hidden
            or unknown.has_marker(template.t))

    def predict(self, name):
        """Return the :class:`change.Change` of a resource.

        The resources it refers to are predicted first, without recursion,
        because chains of references may be long. So their values are known
        before another value needs them.
        """
        pending, seen = [name], set()
        while pending:
            current = pending[-1]
            is_new = current in self.new_names
            if current not in seen and current not in self._changes:
                seen.add(current)
                if is_new:
                    pending.extend(sorted(self.requirements(current)[0]
                                          - self._changes.keys() - seen))
                continue
            pending.pop()
            if current not in self._changes:
                self._changes[current] = resource_plan.predict(self, current)
                if is_new:
                    # Not every prediction needs the values.
                    with unknown.suppress_errors():
                        self.unresolved(current)
        return self._changes[name]

    def possible_names(self):
        """Return the names of all resources, including possible additions."""
        template = self.planned.t
        written = template.t.get(template.RESOURCES) or {}
        return {*self.existing_names(), *self.new_names, *(
            name for name in written if self._may_hide
            and not self.is_enabled_for_certain(name))}

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
            known._metadata = unknown.fill_markers(
                self.resolve_known(name, self.planned.t.RES_METADATA),
                current._metadata)
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

    @definitions.cached
    def unresolved(self, name):
        """Return the properties with unknown values.

        :returns: their values, by name, with an :data:`unknown.MARKER` for
            each unknown value. The name is :data:`unknown.ALL` if a function
            returns all properties.
        """
        self.resolve_references(name)
        if not (self._may_hide or self._refers_to_changes(name)):
            return {}
        raw = self.raw(name).get(self.planned.t.RES_PROPERTIES) or {}
        properties = self.new_definition(name)._properties
        if self.inputs.hides_properties or isinstance(properties,
                                                      function.Function):
            raw = {unknown.ALL: raw}
        values = {key: self._resolve_property(name, key, value)
                  for key, value in raw.items()}
        if self.inputs.hides_properties:
            # Only the sources are known.
            return {unknown.ALL: unknown.MARKER}
        return {key: value for key, value in values.items()
                if unknown.has_marker(value)}

    def _resolve_property(self, name, key, raw):
        """Return :func:`unknown.resolve_known`, and store the sources."""
        sources = set()
        value = unknown.resolve_known(raw, self, sources)
        if sources:
            words = (_list_words(raw) if any(each.attribute
                                             for each in sources) else ())
            self._sources[name, key] = tuple(sorted({
                _without_computed_attribute(each, words)
                for each in sources}))
        return value

    def resolve_properties(self, name):
        """Return the new values of the properties that are known, by name."""
        hidden = self.unresolved(name)
        properties = self.new_definition(name)._properties or {}
        if hidden:
            properties = {} if unknown.ALL in hidden else {
                key: value for key, value in properties.items()
                if key not in hidden}
        return function.resolve(properties) or {}

    def sources(self, name, key):
        """Return each unknown.Source of an unresolved property, sorted."""
        self.unresolved(name)
        return self._sources.get((name, key), ())

    @definitions.cached
    def property_changes(self, name):
        """Return what :func:`resource_plan.changed_properties` returns."""
        return resource_plan.changed_properties(
            self.current(name), self.known_definition(name))

    @definitions.cached
    def has_unresolved_rest(self, name):
        """Return whether parts other than properties are not known."""
        template = self.planned.t
        return (self._may_hide or self._refers_to_changes(name)) and any(
            unknown.has_marker(self.resolve_known(name, key))
            for key in (template.RES_METADATA, template.RES_UPDATE_POLICY))

    def resolve_known(self, name, key):
        """Resolve a part of a resource in the new template.

        :returns: the part, with an :data:`unknown.MARKER` for each unknown
            value.
        """
        return unknown.resolve_known(self.raw(name).get(key), self)

    def known_part(self, raw):
        """Resolve a part of the new template, without its unknown values."""
        return unknown.fill_markers(unknown.resolve_known(raw, self), {})

    def is_unknown(self, name, key):
        """Return whether a property of a resource has an unknown value."""
        return not self.unresolved(name).keys().isdisjoint((key, unknown.ALL))

    @definitions.cached
    def known_value(self, key):
        """Return what :func:`known_attributes.find_value` returns.

        :param key: a pair of the name of a resource and the attribute.
        """
        return known_attributes.find_value(self, *key)

    @definitions.cached
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

    @definitions.cached
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
        return not self._may_hide or self._is_condition_known(name)

    def _is_condition_known(self, name):
        template = self.planned.t
        key = getattr(template, 'RES_CONDITION', None)
        raw = (template.t.get(template.RESOURCES) or {}).get(name) or {}
        if key is None or raw.get(key) is None:
            return True
        with self.queries.collect() as queries:
            # Heat caches results of conditions by definition.
            definition = copy.copy(self.planned.defn)
            condition = function.resolve(template.parse_condition(
                definition, raw[key], key))
            template.conditions(definition).is_enabled(condition)
        return not queries

    @definitions.cached
    def new(self, name):
        """Return the resource with its new definition and present state."""
        self.resolve_references(name)
        return self.new_with(self.new_definition(name))

    def keeps_nested(self, name):
        """Return whether a nested stack exists and will not be replaced."""
        return self.is_nested(name) and self.predict(name).keeps_id

    @definitions.cached
    def child(self, name):
        """Return the StackPlan of a nested stack that is updated."""
        return self.present_child(
            name, *nested_plan.updated_template(self, name))

    @definitions.cached
    def new_child(self, name):
        """Return the StackPlan of a nested stack that is created."""
        stack, inputs = nested_plan.new_stack_of(self, name)
        return StackPlan(stack, stack.t, inputs, self.queries)

    def present_child(self, name, template=None, inputs=nested_plan.KNOWN):
        """Return a StackPlan of a nested stack, as :func:`load_plan`."""
        return load_plan(
            self.stack.context, self.rows[name].physical_resource_id, template,
            inputs, self.queries)

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

    def _node_data(self, name, for_outputs):
        self.predict(name)
        if self.exists(name) and not self.changes_attributes(name):
            return self.current(name).node_data(self.planned.defn,
                                                for_outputs=for_outputs)
        return known_attributes.changed_data(self, name)


def _list_generated(stack):
    """List the parameters whose values Heat generates for a new stack."""
    if stack.id is not None:
        return []
    parameters = stack.parameters
    # The name of a nested stack has a random suffix.
    return [parameters.PARAM_STACK_ID] + (
        [parameters.PARAM_STACK_NAME] if stack.nested_depth else [])


def _without_computed_attribute(source, words):
    """Return a source without an attribute that the template computes.

    Its name could come from a hidden parameter.

    :param words: those in the part of the template that refers to the source.
    """
    is_written = {'', 'show', *words}.issuperset(source.attribute.split('.'))
    return source if is_written else unknown.Source(source.kind, source.name)


def _list_words(raw):
    if isinstance(raw, dict):
        raw = list(raw.values())
    if isinstance(raw, list):
        return {word for each in raw for word in _list_words(each)}
    return set(str(raw).split('.'))
