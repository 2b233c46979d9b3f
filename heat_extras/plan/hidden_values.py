# SPDX-License-Identifier: Apache-2.0

"""Values that can come from hidden parameters.

A template can compute any other value from a hidden value, which cannot be
recognized. So the rule is coarse. A value is hidden if its part of the current
or the new template refers to something hidden:

- a parameter with a name that any template of the stack tree hides
- a parameter of a nested stack whose value in the parent stack is hidden
- a resource or condition that refers to something hidden itself, or whose
  nested stack has a hidden parameter

A value of a resource is also hidden if it is not the value that the current
template gives. After a failed update, it can come from an earlier template.
Members of some groups keep such values, so all their values are hidden.
"""

import collections

from heat.engine import function
from heat.engine.resources.openstack.heat import autoscaling_group
from heat.engine.resources.openstack.heat import instance_group
from heat.engine.resources import template_resource
from heat.engine import translation

from heat_extras.plan import resource_types
from heat_extras.plan import unknown

_PARAMETER, _RESOURCE, _CONDITION = 'parameter', 'resource', 'condition'

# What a function refers to by the first of its arguments.
_REFERENCES = {
    'get_param': (_PARAMETER,), 'Ref': (_PARAMETER, _RESOURCE),
    'get_resource': (_RESOURCE,), 'get_attr': (_RESOURCE,),
    'Fn::GetAtt': (_RESOURCE,), 'if': (_CONDITION,), 'Fn::If': (_CONDITION,),
    'condition': (_CONDITION,), 'Condition': (_CONDITION,)}
# Functions whose arguments can be names of conditions.
_BOOLEAN = ('not', 'and', 'or', 'Fn::Not', 'Fn::And', 'Fn::Or')
_FACADES = ('resource_facade', 'Fn::ResourceFacade')

# References to a name that a function returns, and to the parent resource.
_COMPUTED, _PARENT = ('computed', ''), ('parent', '')
_COMPUTED_CONDITION = ('computed', _CONDITION)

# States after which the values come from the current template.
_SETTLED = ('CREATE', 'ADOPT', 'UPDATE', 'ROLLBACK')

_MOVING = (translation.TranslationRule.ADD,
           translation.TranslationRule.REPLACE)


class HiddenValues:
    """Decides which values of a stack tree are hidden.

    :param entries: each :class:`tree_plan.Entry` of the update.
    :param names: of all parameters that a template of the tree hides.
    """

    def __init__(self, entries, names):
        self._names, self._stacks = frozenset(names), {}
        self._entries = {entry.path: entry for entry in entries}
        # Nested stacks without resources have no entries. If a nested stack is
        # replaced, an entry has the plan of only one of the two stacks.
        inside = collections.defaultdict(bool)
        plans = {id(entry.plan): entry.plan for entry in entries}
        hiding = {key for key, plan in plans.items() if any(
            not self._names.isdisjoint(template.param_schemata())
            for template in plan.templates())}
        for entry in entries:
            inside[entry.path[:-1]] |= (entry.own_change is None
                                        or id(entry.plan) in hiding)
        self._opaque = {path[:end] for path, is_hiding in inside.items()
                        if is_hiding for end in range(1, len(path) + 1)}
        self._known = inside.keys()

    def find(self, entry):
        """Return a :class:`values.Hidden` of the properties of a resource."""
        return _Properties(self._find_stack(entry), entry.name)

    def _find_stack(self, entry):
        plan, path = entry.plan, entry.path[:-1]
        if plan not in self._stacks:
            self._stacks[plan] = self._make_stack(plan, path)
        return self._stacks[plan]

    def _make_stack(self, plan, path):
        stack = _Stack(plan, {(_PARAMETER, name) for name in self._names})
        parent = self._entries.get(path)
        if parent is not None:
            outer = self.find(parent)
            stack.take_from_parent(parent, outer, self._find_stack(parent))
        elif plan.stack.owner_id is not None:
            # An update of a nested stack by its own ID.
            stack.is_all_hidden = True
        for name in plan.possible_names() if self._names else ():
            if (plan.is_nested(name) or plan.becomes_nested(name)) and (
                    (*path, name) in self._opaque
                    or (*path, name) not in self._known):
                stack.hidden.add((_RESOURCE, name))
        stack.spread()
        return stack


class _Stack:
    """What is hidden in one stack.

    :ivar hidden: pairs of the kind and the name.
    :ivar group: the :class:`_Properties` and the path of the property with
        the properties of the members, if the stack is the stack of a group.
    """

    def __init__(self, plan, hidden):
        self.plan, self.hidden = plan, hidden
        self.is_all_hidden, self.group = False, None
        self.templates = plan.templates()
        self.unexplained = set(_list_unexplained(plan))
        # Whether a part of a template refers to something hidden, by its ID.
        self.known_parts = {}

    def take_from_parent(self, parent, outer, outer_stack):
        """Hide what the resource with this stack hides.

        :param parent: the :class:`tree_plan.Entry` of the resource.
        :param outer: the :class:`_Properties` of the resource.
        """
        kinds = list(_list_kinds(parent.plan, parent.name))
        if any(_keeps_old_members(kind) for kind in kinds):
            self.is_all_hidden = True
        if not outer_stack.is_resource_hidden(parent.name):
            return
        self.hidden.add(_PARENT)
        if parent.own_change is None:
            # Another entry has the new template of the parent stack.
            self.is_all_hidden = True
        elif all(issubclass(kind, template_resource.TemplateResource)
                 for kind in kinds):
            self.hidden |= {
                (_PARAMETER, name) for template in self.templates
                for name in template.param_schemata()
                if outer.has_hidden((name,))}
        elif len(members := {_PATHS.get(kind) for kind in kinds}) == 1 and (
                None not in members):
            self.group = outer, members.pop()
            # Its value is the text that the member has in other places.
            self.is_all_hidden |= outer.has_hidden(('index_var',))
        else:
            self.is_all_hidden = True

    def is_resource_hidden(self, name):
        return (self.is_all_hidden or self.group is not None
                or (_RESOURCE, name) in self.hidden)

    def spread(self):
        """Hide what refers to something hidden."""
        self.hidden |= {(_RESOURCE, name) for name, _ in self.unexplained}
        if not self.hidden:
            return
        self.hidden.add(_COMPUTED)
        users = collections.defaultdict(set)
        for template in self.templates:
            for kind, section in ((_CONDITION, getattr(
                    template, 'CONDITIONS', None)),
                    (_RESOURCE, template.RESOURCES)):
                for name, body in (template.t.get(section) or {}).items():
                    for each in _references(body):
                        users[each].add((kind, name))
        pending = list(self.hidden)
        while pending:
            found = users[pending.pop()] - self.hidden
            if any(kind == _CONDITION for kind, _ in found):
                found = found | {_COMPUTED_CONDITION}
            self.hidden |= found
            pending += found


class _Properties:
    """Decides which properties of a resource are hidden: values.Hidden."""

    def __init__(self, stack, name):
        self._stack, self._name = stack, name
        self._is_moving = self._is_any_moved()

    def is_hidden(self, path):
        if self._stack.group is not None:
            # The template of a group has the results of functions.
            outer, members = self._stack.group
            return self._is_whole_hidden(path[0]) or outer.is_hidden(
                (*members, *path))
        return self._is_whole_hidden(path[0]) or any(
            self._refers_to_hidden(part) and not _is_plain(template, part)
            for template, part in self._parts(path))

    def has_hidden(self, path):
        if self._stack.group is not None:
            outer, members = self._stack.group
            return self._is_whole_hidden(path[0]) or outer.has_hidden(
                (*members, *path))
        return self._is_whole_hidden(path[0]) or any(
            self._refers_to_hidden(part) for _, part in self._parts(path))

    def hides_sources(self, key):
        """Return whether a hidden value can determine the sources of a value.

        :param key: of a property, or :data:`unknown.ALL`.
        """
        return (self._stack.is_resource_hidden(self._name)
                if key == unknown.ALL else self.has_hidden((key,)))

    def _is_whole_hidden(self, key):
        stack, name = self._stack, self._name
        return (stack.is_all_hidden or self._is_moving
                or not stack.unexplained.isdisjoint(
                    ((name, key), (name, unknown.ALL))))

    def _parts(self, path):
        """Yield the part of each template, up to the first function."""
        for template in self._stack.templates:
            body = (template.t.get(template.RESOURCES) or {}).get(
                self._name) or {}
            part = body.get(template.RES_PROPERTIES)
            for key in path:
                if not _is_plain(template, part):
                    break
                part = part.get(key)
            yield template, part

    def _refers_to_hidden(self, part):
        hidden, known = self._stack.hidden, self._stack.known_parts
        if id(part) not in known:
            known[id(part)] = bool(hidden) and not hidden.isdisjoint(
                _references(part))
        return known[id(part)]

    def _is_any_moved(self):
        """Return whether a hidden value may be in another property."""
        stack, name = self._stack, self._name
        if (_RESOURCE, name) not in stack.hidden or (
                name not in stack.plan.rows):
            return False
        with unknown.suppress_errors():
            current = stack.plan.current(name)
            return any(rule.rule in _MOVING for rule in
                       current.translation_rules(current.properties))
        return True


#: The path of the properties of members, by class of the group.
_PATHS = {kind: (key,) if kind is resource_types.CHAIN else (key, 'properties')
          for kind, key in resource_types.MEMBER.items()}


def _list_kinds(plan, name):
    if plan.exists(name) and plan.current_definition(name) is not None:
        yield plan.current_type(name)
    if name in plan.new_names:
        yield plan.new_type(name)


def _keeps_old_members(kind):
    """Return whether members can have values of an earlier root template.

    The members of these groups keep the launch configuration with which they
    were created.
    """
    return issubclass(kind, instance_group.InstanceGroup) and not issubclass(
        kind, autoscaling_group.AutoScalingResourceGroup)


def _list_unexplained(plan):
    """Yield the names of resources and properties with unexpected values.

    The property is :data:`unknown.ALL` if no value can be explained.
    """
    for name, row in plan.rows.items():
        if _is_settled(plan.stack) and _is_settled(row):
            continue
        resolved = None
        with unknown.suppress_errors():
            plan.resolve_current_references(name, with_properties=True)
            definition = plan.current_definition(name)
            resolved = function.resolve(definition._properties) or {}
        for key, value in (row.properties_data or {}).items():
            if resolved is None:
                yield name, unknown.ALL
            elif resolved.get(key) != value:
                yield name, key


def _is_settled(state):
    return state.action in _SETTLED and state.status == 'COMPLETE'


def _is_plain(template, part):
    """Return whether a part of a template is a map, and not a function."""
    return isinstance(part, dict) and not (
        len(part) == 1 and part.keys() <= template.functions.keys())


def _references(part):
    """Yield what the functions in a part of a template refer to."""
    if isinstance(part, list):
        for each in part:
            yield from _references(each)
    elif isinstance(part, dict):
        for key, value in part.items():
            yield from _direct_references(
                key, value if isinstance(value, list) else [value])
            yield from _references(value)


def _direct_references(key, arguments):
    """Yield what a function refers to, without the functions in it."""
    if key in _FACADES:
        yield _PARENT
    if key in _BOOLEAN:
        yield from ((_CONDITION, each) for each in arguments
                    if isinstance(each, str))
    for kind in _REFERENCES.get(key, ()):
        first = arguments[0] if arguments else None
        if isinstance(first, str):
            yield kind, first
            # ``Fn::GetAtt`` accepts a name with an attribute.
            yield kind, first.partition('.')[0]
        else:
            yield _COMPUTED_CONDITION if kind == _CONDITION else _COMPUTED
