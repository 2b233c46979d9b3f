# SPDX-License-Identifier: Apache-2.0

"""Which resources an update may make anew, and so have twice for a while."""

from oslo_log import log as logging

from heat_extras.lifecycle_plugins.limits import resource_count
from heat_extras.update_plan import change

LOG = logging.getLogger(__name__)


class Remade:
    """What an update of a stack, and of what is nested in it, makes anew.

    What cannot be known before counts as such.

    :param plan: the :class:`stack_plan.StackPlan` of the update.
    """

    def __init__(self, plan):
        self._context = plan.stack.context
        self._keys, self._stacks = set(), set()
        self._look(plan.stack.id, lambda: plan)

    def has(self, key):
        """Return whether a resource may be made anew.

        :param key: the id of its stack, and its name.
        """
        return key in self._keys or key is not None and (
            key[0] in self._stacks)

    def _look(self, stack_id, make):
        try:
            plan = make()
            for name in filter(plan.exists, sorted(plan.new_names)):
                self._visit(plan, plan.predict(name), name)
        except Exception as error:
            LOG.debug('What an update does to stack %(id)s is not known '
                      'before: %(kind)s',
                      {'id': stack_id, 'kind': type(error).__name__})
            self._stacks.update(resource_count.below(self._context, stack_id))

    def _visit(self, plan, act, name):
        row = plan.rows[name]
        is_remade = (act.action == change.REPLACE or act.may_replace
                     or row.status == 'FAILED')
        if is_remade:
            self._keys.add((plan.stack.id, name))
        if not plan.is_nested(name):
            return
        if is_remade:
            self._stacks.update(resource_count.below(
                self._context, row.physical_resource_id))
        else:
            self._look(row.physical_resource_id,
                       lambda: plan.child(name))
