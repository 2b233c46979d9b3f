# SPDX-License-Identifier: Apache-2.0

"""A request to change a resource's health, checked and sent to the engine.

Where Heat itself rejects a body, its own text is kept. Pure: nothing of Heat
is imported.
"""

import dataclasses
import typing

from heat_extras import sanitize

MARK, REASON, FORCE = 'mark_unhealthy', 'resource_status_reason', 'force'
FIELDS = (MARK, REASON)
REASON_LENGTH = sanitize.LINE

_BOOLEANS = {'true': True, 'false': False}
_KINDS = {type(None): 'null', bool: 'a boolean', int: 'a number',
          float: 'a number', str: 'a string', list: 'a list',
          dict: 'an object'}

_METHOD = 'resource_mark_unhealthy'
# Of Heat's RPC API, which has the method since then.
_VERSION = '1.26'


@dataclasses.dataclass(frozen=True)
class MarkRequest:
    """What a request asks for; the reason is empty if there is none."""

    mark: bool
    reason: str
    is_forced: bool


def parse(body: object, force: list[str]) -> MarkRequest:
    """Read a request.

    :param force: the values of ``?force=`` in the query.
    :raises ValueError: with a text for the caller.
    """
    return MarkRequest(*parse_body(body), parse_force(force))


def parse_body(body: object) -> tuple[bool, str]:
    """Read the body of ``PATCH .../resources/{name}``.

    :returns: whether to mark, and the reason, empty if there is none.
    :raises ValueError: with a text for the caller.
    """
    if not isinstance(body, dict):
        raise ValueError(
            f'Invalid body of mark unhealthy: found {_kind(body)}, wanted '
            f'an object with {MARK} and, if you like, {REASON}.')
    unknown = sorted(set(body) - set(FIELDS))
    if unknown:
        raise ValueError(
            'Invalid keys in resource mark unhealthy: '
            f'{", ".join(map(repr, unknown))}; wanted {MARK} and, if you '
            f'like, {REASON}.')
    if MARK not in body:
        raise ValueError(f'Missing mandatory ({MARK}) key from mark '
                         'unhealthy request; wanted true or false.')
    if not isinstance(body[MARK], bool):
        raise ValueError(
            f'Unrecognized value "{body[MARK]}" for "{MARK}", acceptable '
            f'values are: true, false; found {_kind(body[MARK])}.')
    reason = body.get(REASON, '')
    check_reason(reason)
    return body[MARK], reason


def check_reason(reason: object) -> None:
    """Insist on a string that fits.

    :raises ValueError: with a text for the caller.
    """
    if not isinstance(reason, str):
        raise ValueError(f'Invalid {REASON}: found {_kind(reason)}, wanted '
                         'a string.')
    if len(reason) > REASON_LENGTH:
        raise ValueError(f'Invalid {REASON}: it has {len(reason)} '
                         f'characters, at most {REASON_LENGTH} are allowed.')
    sanitize.check(REASON, reason)


def parse_force(values: list[str]) -> bool:
    """Read ``?force=`` of the query.

    :param values: all that were given.
    :raises ValueError: with a text for the caller.
    """
    if not values:
        return False
    if len(values) > 1 or values[0].lower() not in _BOOLEANS:
        raise ValueError(f'Invalid {FORCE}: found {", ".join(values)!r}, '
                         'wanted true or false, once.')
    return _BOOLEANS[values[0].lower()]


def send(client: typing.Any, context: object, request: MarkRequest,
         **resource: object) -> object:
    """Call the engine.

    :param client: a heat.rpc.client.EngineClient.
    :param request: a :class:`MarkRequest`.
    :param resource: the fields that name the resource.
    :returns: what the engine answers.
    """
    fields = {**resource, MARK: request.mark, REASON: request.reason}
    if not request.is_forced:
        return client.resource_mark_unhealthy(context, **fields)
    # An engine without heat-extras takes all requests without force.
    return client.call(context, client.make_msg(
        _METHOD, **fields, force=True), version=_VERSION)


def _kind(value: object) -> str:
    """Name the type of a value as JSON does."""
    return _KINDS.get(type(value), type(value).__name__)
