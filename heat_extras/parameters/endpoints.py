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
    *(endpoint.Endpoint(
        'get', path, name, summary,
        shapes.besides({'stacks': shapes.several(shapes.besides(_OF_STACKS))}),
        rules=(rule,), is_heats=True)
      for path, name, summary, rule in (
          (endpoint.LIST, 'listStacks', 'List stacks', 'stacks:index'),
          (endpoint.DETAIL, 'listStacksInDetail', 'List stacks in detail',
           'stacks:detail'))),
    endpoint.Endpoint(
        'get', endpoint.STACK, 'showStack', 'Show a stack',
        shapes.besides({'stack': shapes.besides(_OF_STACKS)}),
        rules=('stacks:show',), is_heats=True),
    endpoint.Endpoint(
        'post', endpoint.VALIDATE, 'validateTemplate', 'Validate a template',
        shapes.besides({'Parameters': {
            'type': 'object',
            'additionalProperties': shapes.besides(_OF_PARAMETERS)}}),
        body={'type': 'object'}, rules=('stacks:validate_template',),
        is_heats=True),
)
