# SPDX-License-Identifier: Apache-2.0

"""An example: the servers of a group fit on the racks of the operator.

A template names the group in the metadata of its servers, for example
``metadata: {spread: web}``. ``/etc/heat/racks.txt`` lists the racks, one in
each line.
"""

import collections
import os

from heat.engine import lifecycle_plugin

from heat_extras.lifecycle import plugin_api

RACKS = os.environ.get('RACKS_FILE', '/etc/heat/racks.txt')


class RackSpread(lifecycle_plugin.LifecyclePlugin):
    """Deny a stack with more servers in a group than there are racks."""

    def get_ordinal(self):
        # Call this plugin before plugins that reserve resources.
        return 20

    def do_pre_op(self, cnxt, stack, current_stack=None, action=None):
        """Deny the action before a server is created.

        :param stack: the stack before the action, or the stack to create.
        :param current_stack: the stack after the update, or None.
        """
        if action not in plugin_api.WITH_TEMPLATE:
            return
        planned = stack if current_stack is None else current_stack
        for group, servers in sorted(groups(planned).items()):
            racks = read_racks()
            if len(servers) > len(racks):
                raise plugin_api.Denied(
                    f'group {group} has {len(servers)} servers '
                    f'({", ".join(servers)}), but there are {len(racks)} '
                    'racks. Reduce the group, or use several groups.')


def groups(stack):
    """Return the names of the servers of each group of a stack."""
    found = collections.defaultdict(list)
    for name, resource in sorted(stack.resources.items()):
        group = (resource.t.metadata() or {}).get('spread')
        if group is not None:
            found[str(group)].append(name)
    return found


def read_racks():
    """Return the names of the racks, which can change at any time."""
    with open(RACKS) as lines:
        return lines.read().split()
