# SPDX-License-Identifier: Apache-2.0

"""What an update is checked against, and what a rollback may undo.

A rollback is checked as an update of the stacks as they were when the failed
update came to them. What it gives back is no change then, and a resource that
was not there is no loss.
"""

import functools

from heat.engine import function
from heat.engine.resources.openstack.heat import resource_group
from heat.engine import stack as heat_stack
from heat.engine import template as heat_template
from heat.objects import resource as resource_object

from heat_extras.pre_update_state import baseline
from heat_extras.pre_update_state import current_update
from heat_extras.update_plan import stack_diff
from heat_extras.update_plan import stack_plan
from heat_extras.update_policy import allow
from heat_extras.update_policy import policy_flag
from heat_extras.update_policy import rules

_CREATIONS = ('CREATE', 'ADOPT')
_NOTHING = {'stack': None, 'resources': {}}


class UpdateBaseline:
    """A stack in an update: what is stored now is what was before.

    :param update: the :class:`current_update.CurrentUpdate` of the stack;
        None before it is in progress.
    """

    is_rollback = False

    def __init__(self, context=None, stack_id=None, update=None):
        self._context, self._stack_id = context, stack_id
        self._update = update

    @functools.cached_property
    def before(self):
        """What :func:`record` kept; None when the update did not come to it.

        Then the stack is what it was.
        """
        if self._update is None or not self._update.is_in_progress:
            return None
        return baseline.read(self._context, self._stack_id,
                             baseline.RESOURCES, self._update.key)

    def inside(self, stack_id):
        """Return the same for a stack that is nested in this one."""
        return type(self)(self._context, stack_id, self._update)

    def is_temporary(self, row_id):
        """Return whether a resource was made for the batches of this update.

        A group that keeps a number of members in service grows during a
        rolling update. No policy keeps what it removes at the end: no
        template asked for it.
        """
        return _is_missing(self.before, row_id)

    def is_new(self, row_id):
        """Return whether a rollback finds a resource of the failed update."""
        return False

    def is_new_inside(self, row):
        """Return whether a rollback finds another nested stack."""
        return False

    def gives_back(self, row_id, definition):
        """Return whether a rollback comes to the definition from before."""
        return False

    def gives_back_stack(self, definition):
        """Return whether template and parameters are those from before."""
        return False

    def allow(self, row_id, definition):
        """Return what the template said of a resource before.

        :param definition: the one that it has now.
        """
        return allow.read(definition)

    def allow_of_removed(self, row, definition, defn):
        """Return what is said of a resource that is removed.

        A template that has it, with a condition that is false, says so.

        :param row: a row, or the heat.engine.resource.Resource of one.
        :param defn: the new heat.engine.stk_defn.StackDefinition.
        """
        if allow.is_in_template(defn.t, row.name):
            return allow.read_disabled(defn, row.name)
        return allow.read(definition)

    def allow_around(self, stack_id):
        """Return what was said before of the resource around a stack."""
        return rules.Allow()

    def allow_of_kept(self, row_id, after, definition):
        """Return what is said of a resource that stays.

        :param after: the definition that it gets.
        :param definition: the one that it has now.
        """
        return allow.read(after)


class RollbackBaseline(UpdateBaseline):
    """A stack in a rollback, and what it was before the failed update."""

    is_rollback = True

    def is_temporary(self, row_id):
        return False

    def is_new(self, row_id):
        return _is_missing(self.before, row_id)

    def is_new_inside(self, row):
        kept = self._row(row.id)
        return kept is not None and kept[0] != row.physical_resource_id

    def gives_back(self, row_id, definition):
        kept = self._row(row_id)
        return kept is not None and kept[1] == _digest(definition)

    def gives_back_stack(self, definition):
        before = (self.before or {}).get('stack')
        return before is not None and before == _stack_digest(definition)

    def allow(self, row_id, definition):
        kept = self._row(row_id)
        return (allow.read(definition) if kept is None
                else rules.Allow(*kept[2]))

    def allow_of_removed(self, row, definition, defn):
        return self.allow(row.id, definition)

    def allow_around(self, stack_id):
        said = (kept[2] for kept in self._rows().values()
                if kept[0] == stack_id)
        return rules.Allow(*next(said, ()))

    def allow_of_kept(self, row_id, after, definition):
        # The template that a rollback goes to may have lifted a policy in an
        # update that never came to the resource.
        return rules.both(allow.read(after), self.allow(row_id, definition))

    def _row(self, row_id):
        return self._rows().get(str(row_id))

    def _rows(self):
        return (self.before or _NOTHING)['resources']


#: Of an update that is not in progress.
UPDATE = UpdateBaseline()


def find_baseline(stack):
    """Return what a stack in progress is checked against.

    :param stack: its context and id are used; the rest is looked up.
    :returns: an :class:`UpdateBaseline`.
    """
    if stack.owner_id is None and stack.action != current_update.ROLLBACK:
        return UPDATE
    update = current_update.find(stack.context, stack.id)
    kind = RollbackBaseline if update.is_rollback else UpdateBaseline
    return kind(stack.context, stack.id, update)


def record(stack, rolled_back=None):
    """Record what a stack is, when an update comes to it.

    A tree without a policy pays nothing for it.

    :param rolled_back: see :func:`current_update.add_listener`.
    """
    if not policy_flag.may_have(stack):
        return
    update = current_update.find(stack.context, stack.id)
    is_new = rolled_back is not None and rolled_back.action in _CREATIONS
    baseline.keep(stack.context, stack.id, baseline.RESOURCES, update.key,
                  lambda: {**(_NOTHING if is_new else _current(stack)),
                           'entry': update.entry})


def start():
    """Record each stack that an update or a rollback comes to."""
    current_update.add_listener(record)


def stop():
    """Record no more."""
    current_update.remove_listener(record)


def is_left_over(plan, row):
    """Return whether a group's member was left by an update that failed.

    It came with the last update of its stack, for the batches of a rolling
    update, and the group around it does not ask for a member of that name.
    A member that came with an update of its stack by its own id is not left
    over: that update asked for it.

    :param plan: the :class:`stack_plan.StackPlan` of its stack.
    """
    stack = plan.stack
    if stack.owner_id is None:
        return False
    kept = baseline.last(stack.context, stack.id, baseline.RESOURCES)
    return (_is_missing(kept, row.id) and kept.get('entry') != stack.id
            and row.name not in _wanted_members(plan, row.name))


def _is_missing(recorded, row_id):
    return recorded is not None and str(row_id) not in recorded['resources']


def _wanted_members(plan, name):
    """Return the names of members that the group around a stack asks for.

    An update that failed may have asked for more than was applied.

    :returns: for another resource around it, the name that was given.
    """
    stack = plan.stack
    owner = (heat_stack.Stack.load(stack.context, stack_id=stack.owner_id)
             if plan.around is None else plan.around.stack)
    around = stack_plan.StackPlan(owner, _last_template(owner))
    group = around.current(stack.parent_resource_name)
    if not isinstance(group, resource_group.ResourceGroup):
        return {name}
    names = {*group._resource_names()}
    if group.name in around.new_names:
        last = around.new(group.name)
        if isinstance(last, resource_group.ResourceGroup):
            names.update(last._resource_names())
    return names


def _last_template(owner):
    if owner.convergence or owner.prev_raw_template_id is None:
        return owner.t
    # Stack.update_task keeps a copy of the one that an update brings.
    return heat_template.Template.load(owner.context,
                                       owner.prev_raw_template_id)


def _current(stack):
    fresh = stack_plan.load(stack.context, stack.id)
    plan = stack_plan.StackPlan(fresh, fresh.t)
    rows = resource_object.Resource.get_all_active_by_stack(
        stack.context, stack.id)
    return {'stack': _stack_digest(_definition_before(fresh)),
            'resources': {str(row.id): _of_row(plan, row)
                          for row in rows.values()
                          if (row.action, row.status) not in stack_plan.GONE
                          and not is_left_over(plan, row)}}


def _definition_before(stack):
    if not stack.convergence:
        # Stack.update_task changes the template bit by bit, later.
        return stack.defn
    old = heat_template.Template.load(stack.context,
                                      stack.prev_raw_template_id)
    return stack.defn.clone_with_new_template(old, stack.identifier())


def _of_row(plan, row):
    definition = plan.definition_of(row)
    if definition is None:
        return [row.physical_resource_id, None, [None, None]]
    said = allow.read(definition)
    return [row.physical_resource_id,
            _digest(definition, row.properties_data),
            [said.update, said.replace]]


def _digest(definition, properties=None):
    """Return a digest that differs when an update would change a resource.

    :param properties: those that were stored, instead of those that the
        definition comes to now.
    """
    if properties is None:
        properties = function.resolve(definition._properties)
    # What refers to resources can't be worked out here and there alike.
    rest = [None if any(function.dependencies(part))
            else function.resolve(part)
            for part in (definition._metadata, definition._update_policy)]
    return baseline.digest([definition.resource_type, properties or {},
                            *rest])


def _stack_digest(definition):
    return baseline.digest(stack_diff.content(definition))
