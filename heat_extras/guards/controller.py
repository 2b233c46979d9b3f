# SPDX-License-Identifier: Apache-2.0

"""``GET /v1/{project}/stacks/{name}/{id}/guards``."""

from heat.api.openstack.v1 import util
from heat.rpc import client as rpc_client
import oslo_messaging
from webob import exc

from heat_extras.guards import words
from heat_extras.heat_internals import older_engine

QUERY = ('nested', 'blocking', 'at')

_BOOLEANS = {'true': True, 'false': False}


class GuardsController:
    """WSGI controller for the guards of a stack."""

    # The policy rule is stacks:guards.
    REQUEST_SCOPE = 'stacks'

    def __init__(self, options):
        self.options = options
        self.rpc_client = rpc_client.EngineClient()

    def default(self, req, **args):
        raise exc.HTTPNotFound()

    @util.registered_identified_stack
    def guards(self, req, identity):
        """List the guards of a stack.

        ``?nested=false`` leaves out those of nested stacks,
        ``?blocking=ACTION`` all that do not stop that action. ``?at=`` and a
        moment lists those of then.
        """
        query = _query(req.params)
        wanted = {'nested': _is_nested(query),
                  'blocking': query.get('blocking')}
        if 'at' in query:
            # Engines of an older release don't know it.
            wanted['at'] = query['at']
        return {'guards': self._ask(req.context, identity, wanted)}

    def _ask(self, context, identity, wanted):
        try:
            return self.rpc_client.call(context, self.rpc_client.make_msg(
                'stack_guards', stack_identity=identity, **wanted))
        except (oslo_messaging.RemoteError, TypeError) as error:
            if 'at' in wanted and older_engine.is_one(error):
                raise exc.HTTPConflict(words.OLDER) from error
            raise


def _query(params):
    unknown = sorted(set(params) - set(QUERY))
    if unknown:
        raise exc.HTTPBadRequest(words.unknown_query(unknown, QUERY))
    return params


def _is_nested(query):
    text = query.get('nested', 'true')
    if text.lower() not in _BOOLEANS:
        raise exc.HTTPBadRequest(words.not_nested(text))
    return _BOOLEANS[text.lower()]
