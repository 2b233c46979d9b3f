# SPDX-License-Identifier: Apache-2.0

"""An example: every root stack has a tag with its cost center.

``openstack stack create --tags cost-centre:4711 ...``
"""

from heat.engine import lifecycle_plugin
from oslo_log import log as logging

LOG = logging.getLogger(__name__)

PREFIX = 'cost-centre:'
CHECKED_ACTIONS = ('CREATE', 'ADOPT', 'UPDATE')


class CostCentre(lifecycle_plugin.LifecyclePlugin):
    """Deny root stacks without a cost center, and log results of actions."""

    def get_ordinal(self):
        # Call this plugin before plugins that reserve resources.
        return 10

    def do_pre_op(self, cnxt, stack, current_stack=None, action=None):
        """Deny the action by raising an exception.

        :param stack: the stack before the action, or the stack to create.
        :param current_stack: the stack after the update, or None.
        """
        if action not in CHECKED_ACTIONS or stack.owner_id is not None:
            return
        planned = stack if current_stack is None else current_stack
        centres = [tag for tag in planned.tags or ()
                   if tag.startswith(PREFIX)]
        if len(centres) != 1:
            raise Exception(
                f'the stack has {len(centres)} tags that start with {PREFIX}, '
                f'but must have one. Add a tag with --tags {PREFIX}4711.')

    def do_post_op(self, cnxt, stack, current_stack=None, action=None,
                   is_stack_failure=False):
        """Log the result of the action.

        If an engine dies, Heat can repeat the call with the same operation
        ID. The repeated call logs the same result.
        """
        LOG.info('%(action)s %(operation)s of %(stack)s: %(end)s',
                 {'action': action, 'stack': stack.id,
                  'operation': getattr(stack, 'operation_id', None),
                  'end': 'failed' if is_stack_failure else 'done'})
