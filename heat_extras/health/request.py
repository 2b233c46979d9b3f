# SPDX-License-Identifier: Apache-2.0

"""Check a request to change a resource's health, and send it to the engine.

If Heat itself also rejects a body, the error has Heat's text. Pure: does not
import Heat.
"""

import typing

from heat_extras import sanitize

MARK, REASON, FORCE = 'mark_unhealthy', 'resource_status_reason', 'force'
FIELDS = (MARK, REASON)
REASON_LENGTH = sanitize.LINE

_BOOLEANS = {'true': True, 'false': False}

_METHOD = 'resource_mark_unhealthy'
# The version of Heat's RPC API that added the method.
_VERSION = '1.26'


def parse_body(body: object) -> dict[str, object]:
    """Parse the body of ``PATCH .../resources/{name}``.

    :returns: the fields with their values. A missing reason is empty.
    :raises ValueError: with a text for the caller.
    """
    if not isinstance(body, dict):
        raise ValueError('Invalid body of mark unhealthy: it must be an '
                         f'object with the key "{MARK}" and, optionally, the '
                         f'key "{REASON}".')
    unknown = sorted(set(body) - set(FIELDS))
    if unknown:
        raise ValueError(
            'Invalid keys in resource mark unhealthy: '
            f'{", ".join(map(repr, unknown))}. Only the keys "{MARK}" and '
            f'"{REASON}" are allowed.')
    if MARK not in body:
        raise ValueError(f'Missing mandatory ({MARK}) key from mark unhealthy '
                         f'request. The value of "{MARK}" must be true or '
                         'false.')
    if not isinstance(body[MARK], bool):
        raise ValueError(
            f'Unrecognized value "{body[MARK]}" for "{MARK}", acceptable '
            'values are: true, false (without quotes).')
    reason = body.get(REASON, '')
    check_reason(reason)
    return {MARK: body[MARK], REASON: reason}


def check_reason(reason: object) -> None:
    """Check that a reason is a string that the database can store.

    :raises ValueError: with a text for the caller.
    """
    if not isinstance(reason, str):
        raise ValueError(f'Invalid {REASON}: it must be a string.')
    if len(reason) > REASON_LENGTH:
        raise ValueError(f'Invalid {REASON}: it has {len(reason)} '
                         f'characters, at most {REASON_LENGTH} are allowed.')
    sanitize.check_text(REASON, reason)


def parse_force(values: list[str]) -> bool:
    """Parse ``?force=`` of the query.

    :param values: all values of the query.
    :raises ValueError: with a text for the caller.
    """
    if not values:
        return False
    if len(values) > 1 or values[0].lower() not in _BOOLEANS:
        raise ValueError(f'Invalid {FORCE}: {", ".join(values)!r} is not '
                         f'valid. Expected {FORCE}=true or {FORCE}=false, at '
                         'most once.')
    return _BOOLEANS[values[0].lower()]


def send(client: typing.Any, context: object, is_forced: bool,
         **fields: object) -> object:
    """Call the engine.

    :param client: a heat.rpc.client.EngineClient.
    :param fields: the arguments of Heat's own method.
    :returns: the answer of the engine.
    """
    if not is_forced:
        return client.resource_mark_unhealthy(context, **fields)
    # Send force only if needed, because an engine without heat-extras rejects
    # it.
    return client.call(context, client.make_msg(
        _METHOD, **fields, force=True), version=_VERSION)
