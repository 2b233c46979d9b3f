# SPDX-License-Identifier: Apache-2.0

"""What Heat's API shows of parameters that must stay."""

from openapi import endpoint
from openapi import types

_OF_STACKS = {'updatable': types.note(
    {'type': ['object', 'null'], 'additionalProperties': types.TRUTH},
    'Parameters that say so, and whether updates may change them.')}

_OF_PARAMETERS = {
    'Updatable': types.note(
        types.TRUTH, 'Only of parameters whose template says so.'),
    'Immutable': types.TRUTH}

ENDPOINTS = (
    *endpoint.of_stacks(_OF_STACKS),
    endpoint.Endpoint(
        'post', endpoint.VALIDATE, 'validateTemplate', 'Validate a template',
        types.besides({'Parameters': {
            'type': 'object',
            'additionalProperties': types.besides(_OF_PARAMETERS)}}),
        body={'type': 'object'}, rules=('stacks:validate_template',),
        is_heats=True),
)
