# SPDX-License-Identifier: Apache-2.0

"""A server without a cloud, for the commands on the documentation's pages.

It takes the place of OS::Nova::Server, and can be locked like a server.
"""

from heat.engine import properties
from heat.engine import resource


def _text(**options):
    return properties.Schema(properties.Schema.STRING, **options)


class Server(resource.Resource):
    properties_schema = {
        'image': _text(required=True),
        'flavor': _text(required=True, update_allowed=True),
        'availability_zone': _text(),
        'user_data': _text(),
        'metadata': properties.Schema(
            properties.Schema.MAP, update_allowed=True)}

    def handle_create(self):
        self.resource_id_set(self.physical_resource_name())

    def handle_update(self, definition, template_diff, changes):
        """Resize the server."""

    def handle_lock(self, level):
        """Lock the server."""

    def handle_unlock(self):
        """Unlock the server."""


def resource_mapping():
    return {'OS::Nova::Server': Server}
