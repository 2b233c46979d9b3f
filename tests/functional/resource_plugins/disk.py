# SPDX-License-Identifier: Apache-2.0

"""A resource that logs its deletion, and whether Heat makes a snapshot.

Heat loads this file as a plugin, see ``[DEFAULT] plugin_dirs``.
"""

import time

from heat.engine import properties
from heat.engine import resource
from oslo_log import log as logging

LOG = logging.getLogger(__name__)


class Disk(resource.Resource):
    properties_schema = {'fail': properties.Schema(
        properties.Schema.BOOLEAN, default=False),
        'seconds': properties.Schema(properties.Schema.NUMBER, default=0)}

    def handle_create(self):
        self.resource_id_set(self.physical_resource_name())
        if self.properties['fail']:
            raise ValueError('The disk is broken.')
        return time.time() + self.properties['seconds']

    def check_create_complete(self, end):
        return time.time() >= end

    def handle_delete(self):
        LOG.info('disk %s: removed', self.name)

    def handle_snapshot_delete(self, state):
        LOG.info('disk %s: %s', self.name,
                 'removed' if state[1] == self.FAILED else 'snapshot')


def resource_mapping():
    return {'Test::Disk': Disk}
