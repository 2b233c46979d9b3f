# SPDX-License-Identifier: Apache-2.0

"""The actions that lock and protect stacks, and the list of locks.

The list is ``GET /v1/{project}/locks``. The engine checks the values of the
fields of actions.
"""

import dataclasses
import functools
import urllib.parse
import uuid

from heat.api.openstack.v1 import util

from heat_extras.heat_internals import api_controllers
from heat_extras import sanitize
from heat_extras.stack_lock import states
from heat_extras import timestamps

_ID, _END = 'id', 'expires_at'
# The values of a lock that a user can set.
_LOCK = ('level', 'reason', _END)

#: The fields of each action.
FIELDS = {
    'lock': (*_LOCK, 'dry_run', 'replace', _ID),
    'unlock': (_ID, 'ignore_failures'),
    'extend_lock': (_END, _ID),
    'lock_pass': ('user', _END, 'reason'),
    'protect': ('reason', 'replace', 'resources'),
    'unprotect': (),
}

# The form of a body, if not null or an object with any of the fields.
_FORMS = {
    'unlock': 'null, {"id": "ID of the lock"}, or {"ignore_failures": true}',
    'extend_lock': '{"expires_at": "2026-12-24T18:00:00Z"}, or '
                   '{"expires_at": null} to remove the expiration',
    'lock_pass': 'null, or {"user": {"id": "..."} or {"name": "...", '
                 '"domain": "..."}, "expires_at": "2026-12-24T18:00:00Z"}',
    'unprotect': 'null',
}

_ANSWER = 'heat_extras.answer'


def find_method(controller, action):
    """Return the method of Heat's ActionController for an action.

    :raises AttributeError: if it is not an action of heat-extras.
    """
    if action not in FIELDS:
        raise AttributeError(action)
    return functools.partial(_make_method(action), controller)


@functools.cache
def _make_method(action):
    def call(self, req, identity, body=None):
        with api_controllers.value_errors_as_400():
            arguments = rpc_arguments(action, body[action])
        # ActionController.action ignores the return value of this method.
        req.environ[_ANSWER] = api_controllers.call_or_409(
            self.rpc_client, req.context, 'stack_lock', f'stack_{action}',
            stack_identity=identity, **arguments)

    # Heat enforces the policy rule of this name.
    call.__name__ = action
    return util.registered_identified_stack(call)


def engine_answer(req):
    """Return the answer of the engine to the action of a request."""
    return req.environ.get(_ANSWER)


def rpc_arguments(action, body):
    """Return the arguments of the RPC method for the body of an action.

    :raises ValueError: if the body is not valid.
    """
    form = _FORMS.get(action, 'null or an object with any of the keys '
                              f'{", ".join(FIELDS[action])}')
    unknown = (sorted(set(body) - set(FIELDS[action]))
               if isinstance(body, dict) else ())
    if unknown:
        raise ValueError(f'Invalid body of {action}: unknown key '
                         f'{", ".join(map(repr, unknown))}. The body must be '
                         f'{form}.')
    if not _is_complete(action, body):
        raise ValueError(f'Invalid body of {action}: {sanitize.quote(body)} '
                         f'must be {form}.')
    arguments = dict(body or {})
    if _ID in arguments:
        # An ID can be None, which means that the stack must not be locked.
        arguments['expected'] = {_ID: arguments.pop(_ID)}
    if action in ('lock', 'protect'):
        arguments['named'] = {name: arguments.pop(name) for name in _LOCK
                              if name in arguments}
    return arguments


def _is_complete(action, body):
    if body is None:
        return action != 'extend_lock'
    if not isinstance(body, dict):
        return False
    if action == 'extend_lock':
        return _END in body
    if action == 'lock_pass':
        return None not in (body.get('user'), body.get(_END))
    return bool(body) or action in ('lock', 'protect')


#: The maximum and default number of locks in one response.
MAX_LIMIT = 1000


class LocksController(api_controllers.Controller):
    """WSGI controller for the locks of a project, or of all."""

    # The policy rules are locks:index and locks:global_index.
    REQUEST_SCOPE = 'locks'

    @util.registered_policy_enforce
    def index(self, req):
        """List the locks of a project, page by page."""
        with api_controllers.value_errors_as_400():
            query = parse_query(req.params)
        if query.all_projects:
            return self.global_index(req, req.context.project_id, query=query)
        return self._list(req, query)

    @util.registered_policy_enforce
    def global_index(self, req, query):
        """List the locks of all projects."""
        return self._list(req, query)

    def _list(self, req, query):
        page = api_controllers.call_or_409(
            self.rpc_client, req.context, 'stack_lock', 'list_stack_locks',
            **dataclasses.asdict(query))
        return {'locks': page['locks'],
                'links': _links(req, page['marker'])}


@dataclasses.dataclass(frozen=True)
class Query:
    """The query of a request for locks.

    :param marker: the ID after which to list locks. The lock with this ID
        need not exist.
    """

    limit: int = MAX_LIMIT
    marker: str | None = None
    level: str | None = None
    all_projects: bool = False
    expires_before: str | None = None


def parse_query(params):
    """Parse the query of a request.

    :raises ValueError: with the value that is not valid.
    """
    known = [field.name for field in dataclasses.fields(Query)]
    api_controllers.check_query(params, known)
    return Query(**{name: _PARSERS[name](params[name])
                    for name in known if name in params})


def _limit(text):
    # Python cannot parse very long numbers.
    is_number = text.isascii() and text.isdigit() and len(text) < 100
    if not is_number or not 0 < int(text) <= MAX_LIMIT:
        raise ValueError(f'Invalid limit: {sanitize.quote(text)} must be a '
                         f'number from 1 to {MAX_LIMIT}.')
    return int(text)


def _marker(text):
    try:
        return str(uuid.UUID(text))
    except ValueError as error:
        raise ValueError(
            f'Invalid marker: {sanitize.quote(text)} must be a UUID: the ID '
            'of the last lock of the previous page.') from error


def _level(text):
    if text not in states.LEVELS:
        raise ValueError(f'Invalid level: {sanitize.quote(text)} must be one '
                         f'of {", ".join(states.LEVELS)}.')
    return text


def _all_projects(text):
    return api_controllers.parse_boolean('all_projects', text)


def _expires_before(text):
    return timestamps.to_iso(timestamps.parse(text, 'expires_before'))


_PARSERS = {'limit': _limit, 'marker': _marker, 'level': _level,
            'all_projects': _all_projects, 'expires_before': _expires_before}


def _links(req, marker):
    if marker is None:
        return []
    params = urllib.parse.urlencode({**req.params, 'marker': marker})
    return [{'rel': 'next', 'href': f'{req.path_url}?{params}'}]


def connect(routes, conf):
    """Add the URL to the routes of the API."""
    api_controllers.connect_get(
        routes, 'lock_index', '/{tenant_id}/locks',
        LocksController(conf), 'index')
