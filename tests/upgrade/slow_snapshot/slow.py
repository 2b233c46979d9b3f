# SPDX-License-Identifier: Apache-2.0

"""A resource whose snapshot is deleted slowly.

Heat loads this file as a plugin, see ``[DEFAULT] plugin_dirs``.
"""

import os

from heat.engine import resource


class Slow(resource.Resource):
    """Wait with the deletion as long as there is a file."""

    properties_schema = {}

    def handle_create(self):
        self.resource_id_set(self.physical_resource_name())

    def handle_delete_snapshot(self, snapshot):
        """Begin to wait."""
        return os.environ['HEAT_EXTRAS_SLOW_SNAPSHOT']

    def check_delete_snapshot_complete(self, path):
        """Return whether the file is gone."""
        return not os.path.exists(path)


def resource_mapping():
    return {'Test::Slow': Slow}
