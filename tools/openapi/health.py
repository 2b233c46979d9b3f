# SPDX-License-Identifier: Apache-2.0

"""What marks of resources are in Heat's API."""

from heat_extras.health import request
from openapi import endpoint
from openapi import types

BODY = types.Fields({
    request.MARK: types.note(types.TRUTH,
                             'False takes a mark back.'),
    request.REASON: types.note(
        types.WRITTEN, 'Only with characters that the database of this Heat '
        'takes.', default='')}, (request.MARK,))

QUERY = {request.FORCE: types.note(
    types.TRUTH, 'Mark it even if more than [heat_extras] '
    'max_unhealthy_percent of the stack would be unhealthy.', default=False)}

_WARNED = types.whole({request.MARK: types.whole({
    'resource_name': types.TEXT,
    'warnings': types.note(
        {**types.several(types.TEXT), 'minItems': 1},
        'What forbids that the next update replaces it.')})})

ENDPOINTS = (
    endpoint.Endpoint(
        'patch', endpoint.RESOURCE, 'markResource',
        'Mark a resource as unhealthy, so that the next update replaces it',
        types.nullable(_WARNED), body=BODY.schema(), query=QUERY,
        rules=('resource:mark_unhealthy',),
        description="The resource by its name or physical ID. Heat's own "
        'call, with stricter checks; other words of the query are passed '
        'over.',
        refused={400: 'HealthInvalid: there is no such resource to mark; or '
                      'a bad body or query',
                 403: 'Forbidden by the policy',
                 404: 'No such stack in the project, or no such resource',
                 409: 'TooManyUnhealthy; StackLocked, StackFrozen; or the '
                      'resource is worked on'}),
)
