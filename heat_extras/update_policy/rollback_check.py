# SPDX-License-Identifier: Apache-2.0

"""What an update is checked against, and what a rollback may undo.

A rollback is checked as an update of the stacks as they were when the failed
update came to them. What it gives back is no change then, and a resource that
was not there is no loss.
"""

import dataclasses
import functools

from heat.engine import function
from heat.engine import template as heat_template
from heat.objects import resource as resource_object
from oslo_log import log as logging

from heat_extras.pre_update_state import baseline
from heat_extras.pre_update_state import current_update
from heat_extras.update_plan import stack_diff
from heat_extras.update_plan import stack_plan
from heat_extras.update_policy import allow
from heat_extras.update_policy import policy_flag
from heat_extras.update_policy import rules

LOG = logging.getLogger(__name__)

_CREATIONS = ('CREATE', 'ADOPT')
_EMPTY_STATE = {'stack': None, 'resources': {}}

# Attributes of a stack whose state is about to be recorded.
_ROLLED_BACK = 'heat_extras_rolled_back'
_KEY_BEFORE = 'heat_extras_key_before'


@dataclasses.dataclass(frozen=True)
class RolledBack:
    """The operation that a rollback takes back.

    :param key: of the update, see :func:`current_update.update_key`.
    :param action: CREATE, ADOPT, UPDATE or RESTORE.
    """

    key: str
    action: str


class Baseline:
    """What a stack was before the update or rollback that it takes part in.

    In an update, what is stored now is what was before: only a rollback reads
    more than which resources there were.

    :param update: the :class:`current_update.CurrentUpdate` of the stack;
        None before it is in progress.
    """

    def __init__(self, context=None, stack_id=None, update=None):
        self._context, self._stack_id = context, stack_id
        self._update = update

    @property
    def is_rollback(self):
        return self._update is not None and self._update.is_rollback

    @functools.cached_property
    def _before(self):
        """The state that :func:`record_state` stored, or None.

        It is None if the update did not reach the stack. The stack is then
        unchanged.
        """
        if self._update is None or not self._update.is_in_progress:
            return None
        return baseline.read_state(self._context, self._stack_id,
                                   baseline.RESOURCES, self._update.key)

    def nested(self, stack_id):
        """Return the baseline of a stack that is nested in this one."""
        return Baseline(self._context, stack_id, self._update)

    def is_new(self, row_id):
        """Return whether the update, or the one rolled back, made a resource.

        No policy keeps it: a group that keeps a number of members in service
        grows during a rolling update, and removes those members at its end.
        """
        return self._before is not None and (
            str(row_id) not in self._before['resources'])

    def is_nested_stack_new(self, row):
        """Return whether a resource had another nested stack before."""
        kept = self._kept(row.id)
        return kept is not None and kept[0] != row.physical_resource_id

    def restores(self, row_id, definition):
        """Return whether a rollback comes to the definition from before."""
        kept = self._kept(row_id)
        return kept is not None and kept[1] == _compute_digest(definition)

    def restores_stack(self, definition):
        """Return whether template and parameters are those from before."""
        return (self.is_rollback and self._before is not None
                and self._before['stack'] == _compute_stack_digest(definition))

    def allow_before(self, row_id, definition):
        """Return what the template said of a resource before.

        :param definition: the one that it has now.
        """
        kept = self._kept(row_id)
        return (allow.read_allow(definition) if kept is None
                else rules.Allow(*kept[2]))

    def allow_around(self, stack_id):
        """Return what was said before of the resource around a stack."""
        said = (kept[2] for kept in self._kept_rows().values()
                if kept[0] == stack_id)
        return rules.Allow(*next(said, ()))

    def allow_removed(self, resource, defn):
        """Return what is said of a resource that is removed.

        :param defn: the new heat.engine.stk_defn.StackDefinition.
        """
        if self.is_rollback:
            return self.allow_before(resource.id, resource.t)
        return allow.read_allow_of_removed(resource.t, defn)

    def allow_kept(self, row_id, after, definition):
        """Return what is said of a resource that stays.

        :param after: the definition that it gets.
        :param definition: the one that it has now.
        """
        said = allow.read_allow(after)
        # The template that a rollback goes to may have lifted a policy in an
        # update that never came to the resource.
        if not self.is_rollback:
            return said
        return rules.combine_allow(said,
                                   self.allow_before(row_id, definition))

    def _kept(self, row_id):
        return self._kept_rows().get(str(row_id))

    def _kept_rows(self):
        if not self.is_rollback or self._before is None:
            return {}
        return self._before['resources']


#: Of an update that is not in progress.
UPDATE = Baseline()


def find_baseline(stack):
    """Return the :class:`Baseline` that a stack is checked against.

    :param stack: its context and id are used; the rest is looked up.
    """
    if stack.owner_id is None and stack.action != current_update.ROLLBACK:
        return UPDATE
    return Baseline(stack.context, stack.id,
                    current_update.find_update(stack.context, stack.id))


def set_rolled_back(stack):
    """Keep which operation the rollback of a stack will take back."""
    setattr(stack, _ROLLED_BACK, RolledBack(current_update.update_key(stack),
                                            stack.action))


def record_traversal(stack):
    """Record the state before an update or a rollback with convergence.

    The operation is in the database, and no resource is worked on for it
    yet.
    """
    rolled_back = stack.__dict__.pop(_ROLLED_BACK, None)
    if stack.action in current_update.ACTIONS:
        record_state(stack, rolled_back)


def record_at_store(stack):
    """Make :func:`record_after_store` record the state of a legacy stack."""
    setattr(stack, _KEY_BEFORE, current_update.update_key(stack))


def record_after_store(stack):
    """Record the state before an update or a rollback, legacy engine."""
    before = getattr(stack, _KEY_BEFORE, None)
    if (before is None or stack.status != stack.IN_PROGRESS
            or current_update.update_key(stack) == before):
        return
    delattr(stack, _KEY_BEFORE)
    record_state(stack, RolledBack(before, current_update.UPDATE)
                 if stack.action == current_update.ROLLBACK else None)


def record_state(stack, rolled_back=None):
    """Record what a stack is, when an update comes to it.

    A tree without a policy pays nothing for it. Heat's own work continues
    after an error: a rollback without a record is checked like an update.

    :param rolled_back: the :class:`RolledBack`, or None for an update.
    """
    try:
        if rolled_back is not None:
            baseline.record_once(
                stack.context, stack.id, baseline.ROLLED_BACK,
                current_update.update_key(stack), lambda: rolled_back.key)
        if policy_flag.has_policy_nearby(stack):
            update = current_update.find_update(stack.context, stack.id)
            is_new = rolled_back and rolled_back.action in _CREATIONS
            baseline.record_once(
                stack.context, stack.id, baseline.RESOURCES, update.key,
                lambda: _EMPTY_STATE if is_new else _describe_stack(stack))
    except Exception:
        LOG.exception('The state of stack %(name)s (%(id)s) before its '
                      '%(action)s could not be stored',
                      {'name': stack.name, 'id': stack.id,
                       'action': stack.action})


def _describe_stack(stack):
    fresh = stack_plan.load(stack.context, stack.id)
    plan = stack_plan.StackPlan(fresh, fresh.t)
    rows = resource_object.Resource.get_all_active_by_stack(
        stack.context, stack.id)
    return {'stack': _compute_stack_digest(_definition_before(fresh)),
            'resources': {str(row.id): _describe_row(plan, row)
                          for row in rows.values()
                          if (row.action, row.status) not in stack_plan.GONE}}


def _definition_before(stack):
    if not stack.convergence:
        # Stack.update_task changes the template bit by bit, later.
        return stack.defn
    old = heat_template.Template.load(stack.context,
                                      stack.prev_raw_template_id)
    return stack.defn.clone_with_new_template(old, stack.identifier())


def _describe_row(plan, row):
    definition = plan.definition_of(row)
    if definition is None:
        return [row.physical_resource_id, None, [None, None]]
    said = allow.read_allow(definition)
    return [row.physical_resource_id,
            _compute_digest(definition, row.properties_data),
            [said.update, said.replace]]


def _compute_digest(definition, properties=None):
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
    return baseline.compute_digest([definition.resource_type, properties or {},
                                    *rest])


def _compute_stack_digest(definition):
    return baseline.compute_digest(stack_diff.content(definition))
