# SPDX-License-Identifier: Apache-2.0

"""``GET /v1/{project}/locks``."""

import dataclasses
import urllib.parse

from heat.api.openstack.v1 import util
from heat.rpc import client as rpc_client
from webob import exc

from heat_extras.heat_internals import api_errors
from heat_extras.heat_internals import routes as host_routes
from heat_extras.heat_internals import rpc_errors
from heat_extras.stack_lock.lock_list import query


class LocksController:
    """WSGI controller for the locks of a project, or of all."""

    # The policy rules are locks:index and locks:global_index.
    REQUEST_SCOPE = 'locks'

    def __init__(self, options):
        self.options = options
        self.rpc_client = rpc_client.EngineClient()

    def default(self, req, **args):
        raise exc.HTTPNotFound()

    @util.registered_policy_enforce
    def index(self, req):
        """List the locks of a project, a page at a time."""
        with api_errors.value_errors_as_400():
            wanted = query.read(req.params)
        if wanted.all_projects:
            return self.global_index(req, req.context.project_id,
                                     wanted=wanted)
        return self._answer(req, wanted)

    @util.registered_policy_enforce
    def global_index(self, req, wanted):
        """List those of all projects."""
        return self._answer(req, wanted)

    def _answer(self, req, wanted):
        found = rpc_errors.call_or_409(
            self.rpc_client, req.context, 'stack_lock', 'list_stack_locks',
            **dataclasses.asdict(wanted))
        return {'locks': found['locks'],
                'links': _links(req, found['marker'])}


def _links(req, marker):
    if marker is None:
        return []
    params = urllib.parse.urlencode({**req.params, 'marker': marker})
    return [{'rel': 'next', 'href': f'{req.path_url}?{params}'}]


def connect(routes, conf):
    """Add the URL to the routes of the API."""
    host_routes.connect_get(
        routes, 'lock_index', '/{tenant_id}/locks',
        host_routes.resource(LocksController(conf)), 'index')
