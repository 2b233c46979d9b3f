# SPDX-License-Identifier: Apache-2.0

"""What the guards of a stack are in Heat's API.

What requests may have is read from here, too. Pure: nothing of Heat is
imported.
"""

from heat_extras.description import endpoint
from heat_extras.description import shapes
from heat_extras import guard

PATH = endpoint.STACK + '/guards'

#: What may stand in the query.
QUERY = {
    'nested': shapes.told(shapes.TRUTH, 'Those of nested stacks, too.',
                          default=True),
    'blocking': shapes.told(
        shapes.one_of(*guard.ACTIONS), 'Only those that stop this action, or '
        'may; other cases and hyphens are read, too.'),
    'at': shapes.told(shapes.MOMENT, 'Those of this moment, in place of now.'),
}

_TEXT = shapes.nullable(shapes.TEXT)
_WHEN = shapes.nullable(shapes.SHOWN_MOMENT)

GUARD = {
    'kind': shapes.told(shapes.TEXT, 'What it is.', examples=[
        'lock', 'protection', 'unhealthy', 'restriction', 'parameter',
        'policy', 'plugin', 'freeze']),
    'stack_id': shapes.told(shapes.TEXT, 'The stack that has it.'),
    'stack_name': shapes.TEXT,
    'stops': shapes.told(shapes.several(shapes.one_of(*guard.ACTIONS)),
                         'The actions that it stops, all or some of them.'),
    'may_stop': shapes.told(shapes.several(shapes.one_of(*guard.ACTIONS)),
                            'The actions that it may stop: a plugin decides '
                            'at the time.'),
    'name': shapes.told(_TEXT, 'Of a resource, parameter, freeze or plugin; '
                        'null: the stack itself.'),
    'set_by': shapes.told(_TEXT, 'Null for readers of other projects.'),
    'set_at': _WHEN,
    'reason': _TEXT,
    'lifted_by': shapes.told(_TEXT, 'The policy rule that it takes to lift '
                             'it, or who may.'),
    'how_to_lift': _TEXT,
    'expires_at': shapes.told(_WHEN, 'When it ends by itself.'),
}

ENDPOINTS = (
    endpoint.Endpoint(
        'get', PATH, 'listGuards',
        'List what protects a stack, from which actions',
        shapes.whole({'guards': shapes.several(
            shapes.titled('Guard', shapes.whole(GUARD)))}),
        query=QUERY,
        refused={400: 'GuardsInvalid, or an unknown or bad word of the query',
                 403: 'Forbidden by the policy',
                 404: 'No such stack in the project',
                 409: 'An engine of an older release, which knows no moment, '
                      'was asked for one'}),
    endpoint.Endpoint(
        'get', endpoint.NAME + '/guards', 'findGuards',
        'Find the guards of a stack by its name or id', None, query=QUERY,
        rules=('stacks:lookup',),
        refused={403: 'Forbidden by the policy',
                 404: 'No such stack in the project'}),
)
