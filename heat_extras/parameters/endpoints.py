# SPDX-License-Identifier: Apache-2.0

"""What Heat's API shows of parameters that must stay.

Pure: nothing of Heat is imported.
"""

from heat_extras.description import endpoint
from heat_extras.description import shapes

_OF_STACKS = {'updatable': shapes.told(
    {'type': ['object', 'null'], 'additionalProperties': shapes.TRUTH},
    'Parameters that say so, and whether updates may change them.')}

_OF_PARAMETERS = {
    'Updatable': shapes.told(
        shapes.TRUTH, 'Only of parameters whose template says so.'),
    'Immutable': shapes.TRUTH}

ENDPOINTS = (
    *endpoint.of_stacks(_OF_STACKS),
    endpoint.Endpoint(
        'post', endpoint.VALIDATE, 'validateTemplate', 'Validate a template',
        shapes.besides({'Parameters': {
            'type': 'object',
            'additionalProperties': shapes.besides(_OF_PARAMETERS)}}),
        body={'type': 'object'}, rules=('stacks:validate_template',),
        is_heats=True),
)
