# SPDX-License-Identifier: Apache-2.0

"""A resource whose snapshots are slow.

Heat loads this file as a plugin, see ``[DEFAULT] plugin_dirs``.
"""

import os

from heat.engine import resource


class Slow(resource.Resource):
    """Delay snapshots and their deletion while a file exists."""

    properties_schema = {}

    def handle_create(self):
        self.resource_id_set(self.physical_resource_name())

    def handle_snapshot(self):
        """Begin to wait."""

    def check_snapshot_complete(self, nothing):
        """Return whether the file was deleted."""
        return not os.path.exists(os.environ['HEAT_EXTRAS_SLOW_SNAPSHOT'])

    def handle_delete_snapshot(self, snapshot):
        """Begin to wait."""

    check_delete_snapshot_complete = check_snapshot_complete


def resource_mapping():
    return {'Test::Slow': Slow}
