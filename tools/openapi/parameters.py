# SPDX-License-Identifier: Apache-2.0

"""The fields of parameters that updates cannot change."""

from openapi import endpoint
from openapi import types

_OF_STACKS = {'updatable': types.note(
    {'type': ['object', 'null'], 'additionalProperties': types.TRUTH},
    'The parameters that updates cannot change, each with the value false. '
    'Null if updates can change all parameters. In lists, the field is '
    'missing in this case.')}

_OF_PARAMETERS = {
    'Updatable': types.note(
        types.TRUTH, 'Only present for parameters that have "updatable" or '
                     '"immutable" in the template.'),
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
