# SPDX-License-Identifier: Apache-2.0

"""An example: every stack names who pays for it, in a tag.

``openstack stack create --tags cost-centre:4711 ...``
"""

from heat.engine import lifecycle_plugin
from oslo_log import log as logging

LOG = logging.getLogger(__name__)

PREFIX = 'cost-centre:'
WANTED = ('CREATE', 'ADOPT', 'UPDATE')


class CostCentre(lifecycle_plugin.LifecyclePlugin):
    """Deny root stacks without a tag, and note who pays for the others."""

    def get_ordinal(self):
        # Before plugins that reserve something.
        return 10

    def do_pre_op(self, cnxt, stack, current_stack=None, action=None):
        """Deny the action by raising an exception.

        :param stack: the stack as it is, or as it is to be created.
        :param current_stack: what an update makes of it.
        """
        if action not in WANTED or stack.owner_id is not None:
            return
        planned = stack if current_stack is None else current_stack
        centres = [tag for tag in planned.tags or ()
                   if tag.startswith(PREFIX)]
        if len(centres) != 1:
            raise Exception(
                f'found {len(centres)} tags that begin with {PREFIX}, wanted '
                f'one, like {PREFIX}4711; add it with --tags')

    def do_post_op(self, cnxt, stack, current_stack=None, action=None,
                   is_stack_failure=False):
        """Note how the action ended.

        After the death of an engine this may be called again, with the same
        operation id: what is noted is the same then.
        """
        LOG.info('%(action)s %(operation)s of %(stack)s: %(end)s',
                 {'action': action, 'stack': stack.id,
                  'operation': getattr(stack, 'operation_id', None),
                  'end': 'failed' if is_stack_failure else 'done'})
