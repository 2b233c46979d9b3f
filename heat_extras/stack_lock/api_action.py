# SPDX-License-Identifier: Apache-2.0

"""The actions of the API that lock and protect stacks.

The engine checks the values of their fields.
"""

import functools

from heat.api.openstack.v1 import util

from heat_extras.heat_internals import rpc_errors
from heat_extras import sanitize

_ID, _END = 'id', 'expires_at'
# The values of a lock that a user can set.
_LOCK = ('level', 'reason', _END)

#: The fields of each action.
FIELDS = {
    'lock': (*_LOCK, 'dry_run', 'replace', _ID),
    'unlock': (_ID, 'ignore_failures'),
    'extend_lock': (_END, _ID),
    'lock_pass': ('user', _END, 'reason'),
    'protect': ('reason', 'replace'),
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
        with rpc_errors.value_errors_as_400():
            arguments = rpc_arguments(action, body[action])
        # ActionController.action ignores the return value of this method.
        req.environ[_ANSWER] = rpc_errors.call_or_409(
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
