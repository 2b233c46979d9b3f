# SPDX-License-Identifier: Apache-2.0

"""The baseline of a policy check, which a rollback may restore.

A rollback is checked like an update of the stacks as they were before the
failed update. So it may restore the previous definition of a resource, and it
may remove resources that the failed update created.
"""

import dataclasses
import functools

from heat.engine import function
from heat.engine import template as heat_template
from heat.objects import resource as resource_object
from oslo_log import log as logging

from heat_extras.heat_internals import current_update
from heat_extras.heat_internals import object_data
from heat_extras.heat_internals import resource_rows
from heat_extras.plan import nested_plan
from heat_extras.plan import stack_plan
from heat_extras.update_policy import allow
from heat_extras.update_policy import policy_flag
from heat_extras.update_policy import rules

LOG = logging.getLogger(__name__)

_CREATIONS = ('CREATE', 'ADOPT')
_EMPTY_STATE = {'stack': None, 'resources': {}}


@dataclasses.dataclass(frozen=True)
class RolledBack:
    """The operation that a rollback undoes.

    :param key: the key of the update, see :func:`current_update.update_key`.
    :param action: CREATE, ADOPT, UPDATE or RESTORE.
    """

    key: str
    action: str


class Baseline:
    """The state of a stack before the current update or rollback.

    An update uses only the list of resources, because the other data are still
    those from before.

    :param update: the :class:`current_update.CurrentUpdate` of the stack, or
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
        return current_update.read_state(
            self._context, self._stack_id, current_update.RESOURCES,
            self._update.key)

    def nested(self, stack_id):
        """Return the baseline of a stack that is nested in this one."""
        return Baseline(self._context, stack_id, self._update)

    def is_new(self, row_id):
        """Return whether the update, or the undone update, created a resource.

        Such a resource is not protected: a group can add members during a
        rolling update, and it removes them at the end.
        """
        return self._before is not None and (
            str(row_id) not in self._before['resources'])

    def is_nested_stack_new(self, row):
        """Return whether a resource had another nested stack before."""
        kept = self._kept(row.id)
        return kept is not None and kept[0] != row.physical_resource_id

    def restores(self, row_id, definition):
        """Return whether a rollback restores the previous definition."""
        kept = self._kept(row_id)
        return kept is not None and kept[1] == _compute_digest(definition)

    def restores_stack(self, definition):
        """Return whether a rollback restores the template and parameters."""
        return (self.is_rollback and self._before is not None
                and self._before['stack'] == _compute_stack_digest(definition))

    def allow_before(self, row_id, definition):
        """Return the previous :class:`rules.Allow` of a resource.

        :param definition: the current definition.
        """
        kept = self._kept(row_id)
        return (allow.read_allow(definition) if kept is None
                else rules.Allow(*kept[2]))

    def allow_around(self, stack_id):
        """Return the previous :class:`rules.Allow` of a parent resource.

        :param stack_id: the ID of the nested stack.
        """
        allowed = (kept[2] for kept in self._kept_rows().values()
                   if kept[0] == stack_id)
        return rules.Allow(*next(allowed, ()))

    def allow_removed(self, resource, defn):
        """Return the :class:`rules.Allow` of a resource that is removed.

        :param defn: the new heat.engine.stk_defn.StackDefinition.
        """
        if self.is_rollback:
            return self.allow_before(resource.id, resource.t)
        return allow.read_allow_of_removed(resource.t, defn)

    def allow_kept(self, row_id, after, definition):
        """Return the :class:`rules.Allow` of a resource that is not removed.

        :param after: the new definition.
        :param definition: the current definition.
        """
        allowed = allow.read_allow(after)
        if not self.is_rollback:
            return allowed
        # The target of a rollback may have removed a policy in an update that
        # never reached the resource.
        return rules.combine_allow(allowed,
                                   self.allow_before(row_id, definition))

    def _kept(self, row_id):
        return self._kept_rows().get(str(row_id))

    def _kept_rows(self):
        if not self.is_rollback or self._before is None:
            return {}
        return self._before['resources']


#: The baseline of an update that is not in progress.
UPDATE = Baseline()


def find_baseline(stack):
    """Return the :class:`Baseline` for the check of a stack.

    :param stack: a stack, of which only the context, ID, owner and action are
        used.
    """
    if stack.owner_id is None and stack.action != current_update.ROLLBACK:
        return UPDATE
    return Baseline(stack.context, stack.id,
                    current_update.find_update(stack.context, stack.id))


def set_rolled_back(stack):
    """Set on a stack the operation that its rollback will undo."""
    object_data.of_stack(stack).rolled_back = RolledBack(
        current_update.update_key(stack), stack.action)


def record_traversal(stack):
    """Record the state before an update or a rollback, with convergence.

    It is called when the operation is in the database, before the first
    resource is changed.
    """
    data = object_data.of_stack(stack)
    rolled_back, data.rolled_back = data.rolled_back, None
    if stack.action in current_update.ACTIONS:
        record_state(stack, rolled_back)


def record_at_store(stack):
    """Let :func:`record_after_store` record the state of a legacy stack."""
    object_data.of_stack(stack).key_before = current_update.update_key(stack)


def record_after_store(stack):
    """Record the state before an update or rollback of the legacy engine."""
    data = object_data.of_stack(stack)
    before = data.key_before
    if (before is None or stack.status != stack.IN_PROGRESS
            or current_update.update_key(stack) == before):
        return
    data.key_before = None
    record_state(stack, RolledBack(before, current_update.UPDATE)
                 if stack.action == current_update.ROLLBACK else None)


def record_state(stack, rolled_back=None):
    """Record the state of a stack when an update reaches it.

    Trees without a policy are not recorded. Errors are only logged: a rollback
    without a record is checked like an update.

    :param rolled_back: the :class:`RolledBack`, or None for an update.
    """
    try:
        if rolled_back is not None:
            current_update.record_once(
                stack.context, stack.id, current_update.ROLLED_BACK,
                current_update.update_key(stack), lambda: rolled_back.key)
        if policy_flag.has_policy_nearby(stack):
            update = current_update.find_update(stack.context, stack.id)
            is_new = rolled_back and rolled_back.action in _CREATIONS
            current_update.record_once(
                stack.context, stack.id, current_update.RESOURCES, update.key,
                lambda: _EMPTY_STATE if is_new else _describe_stack(stack))
    except Exception:
        LOG.exception('The state of stack %(name)s (%(id)s) before its '
                      '%(action)s could not be stored. A rollback will be '
                      'checked like an update',
                      {'name': stack.name, 'id': stack.id,
                       'action': stack.action})


def _describe_stack(stack):
    plan = stack_plan.load_plan(stack.context, stack.id)
    rows = resource_object.Resource.get_all_active_by_stack(
        stack.context, stack.id)
    return {'stack': _compute_stack_digest(_definition_before(plan.stack)),
            'resources': {str(row.id): _describe_row(plan, row)
                          for row in rows.values()
                          if not resource_rows.is_gone(row)}}


def _definition_before(stack):
    if not stack.convergence:
        # Stack.update_task changes the template later, step by step.
        return stack.defn
    old = heat_template.Template.load(stack.context,
                                      stack.prev_raw_template_id)
    return stack.defn.clone_with_new_template(old, stack.identifier())


def _describe_row(plan, row):
    definition = plan.definition_of(row)
    if definition is None:
        return [row.physical_resource_id, None, [None, None]]
    allowed = allow.read_allow(definition, plan.planned)
    return [row.physical_resource_id,
            _compute_digest(definition, row.properties_data),
            [allowed.update, allowed.replace]]


def _compute_digest(definition, properties=None):
    """Return a digest that differs if an update would change a resource.

    :param properties: the stored properties, or None to resolve those of the
        definition.
    """
    if properties is None:
        properties = function.resolve(definition._properties)
    # Parts with references to resources do not always resolve to the same
    # value.
    rest = [None if any(function.dependencies(part))
            else function.resolve(part)
            for part in (definition._metadata, definition._update_policy)]
    return current_update.compute_digest(
        [definition.resource_type, properties or {}, *rest])


def _compute_stack_digest(definition):
    return current_update.compute_digest(nested_plan.stack_content(definition))
