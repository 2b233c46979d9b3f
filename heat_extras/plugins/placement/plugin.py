# SPDX-License-Identifier: Apache-2.0

"""The lifecycle plugin ``heat_extras_placement``: racks for groups.

Heat loads this module with every engine, so that it imports little but
options; the rest comes when an inventory is configured.
"""

from oslo_config import cfg

from heat_extras import conf
from heat_extras.lifecycle import public


class PlacementPlugin:
    """Deny stacks whose placement groups do not fit the inventory."""

    def __init__(self):
        conf.register_opts(cfg.CONF)
        self._inventory = None

    def get_ordinal(self):
        """Come last: what is planned here is reserved."""
        return 130

    def is_enabled(self):
        """Prepare to read the inventory, where there is one.

        :raises ActivationError: when it is not good.
        """
        if not cfg.CONF.heat_extras.placement_inventory:
            return False
        from heat_extras.plugins.placement import inventory
        self._inventory = inventory.from_conf(cfg.CONF)
        return True

    def get_actions(self):
        """Return the actions that plan resources."""
        return public.WITH_TEMPLATE

    def do_pre_op(self, cnxt, stack, current_stack=None, action=None):
        """Plan, and reserve what is planned.

        :raises Denied: when there is no way.
        """
        if self._inventory is None:
            return
        from heat_extras.plugins.placement import reservation
        reservation.reserve(self._inventory, cnxt, stack, current_stack,
                            action)

    def do_post_op(self, cnxt, stack, current_stack=None, action=None,
                   is_stack_failure=False):
        """Release the plan of what failed, and keep that of what did not."""
        if self._inventory is None:
            return
        from heat_extras.plugins.placement import reservation
        reservation.settle(cnxt, stack, current_stack, action,
                           is_stack_failure)
