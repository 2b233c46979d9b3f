# SPDX-License-Identifier: Apache-2.0

"""The request that marks a resource as unhealthy."""

from heat_extras.health import request
from openapi import endpoint
from openapi import types

BODY = types.Fields({
    request.MARK: types.note(types.TRUTH,
                             'True marks the resource as unhealthy. False '
                             'resets the mark.'),
    request.REASON: types.note(
        types.WRITTEN, 'The reason of the mark. The database of this Heat '
        'must be able to store all of its characters.',
        default='')}, (request.MARK,))

QUERY = {request.FORCE: types.note(
    types.TRUTH, 'Mark the resource even if more than [heat_extras] '
    'max_unhealthy_percent of the resources of the stack would be unhealthy.',
    default=False)}

_WARNED = types.whole({request.MARK: types.whole({
    'resource_name': types.TEXT,
    'warnings': types.note(
        {**types.several(types.TEXT), 'minItems': 1},
        'The reasons why the next update cannot replace the resource.')})})

ENDPOINTS = (
    endpoint.Endpoint(
        'patch', endpoint.RESOURCE, 'markResource',
        'Mark a resource as unhealthy, so that the next update replaces it',
        types.nullable(_WARNED), body=BODY.schema(), query=QUERY,
        rules=('resource:mark_unhealthy',),
        description="This is Heat's own request with stricter checks. The "
        'physical ID of the resource is accepted in place of its name. '
        'Unknown query parameters are ignored.',
        refused={400: 'HealthInvalid: the resource was not created yet, or is '
                      'deleted, or the body or the query is not valid',
                 403: 'A policy rule forbids the request',
                 404: 'The project has no stack with this name and ID, or the '
                      'stack has no resource with this name',
                 409: 'TooManyUnhealthy, StackLocked or StackFrozen, or an '
                      'operation on the resource is in progress'}),
)
