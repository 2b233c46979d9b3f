# SPDX-License-Identifier: Apache-2.0

"""``GET /v1/{project}/freezes``."""

from heat.api.openstack.v1 import util
from oslo_messaging.rpc import dispatcher

from heat_extras.heat_internals import api_controllers


class FreezesController(api_controllers.Controller):
    """WSGI controller for the freezes of a project."""

    # The policy rule is stacks:index of Heat. The freezes apply to the users
    # who can list the stacks of the project.
    REQUEST_SCOPE = 'stacks'

    @util.registered_policy_enforce
    def index(self, req):
        """List the freezes of a project that are in effect or will begin."""
        with api_controllers.value_errors_as_400():
            api_controllers.check_query(req.params)
        try:
            freezes = api_controllers.call(self.rpc_client, req.context,
                                           'list_freezes')
        except dispatcher.NoSuchMethod:
            # An engine without a freezes_file does not enable the feature.
            freezes = []
        return {'freezes': freezes}


def connect(routes, conf):
    """Add the URL to the routes of the API."""
    api_controllers.connect_get(
        routes, 'freeze_index', '/{tenant_id}/freezes',
        FreezesController(conf), 'index')
