# SPDX-License-Identifier: Apache-2.0

"""What the guards of a stack are in Heat's API."""

from heat_extras import guard
from openapi import endpoint
from openapi import types

PATH = endpoint.STACK + '/guards'

#: What may stand in the query.
QUERY = {
    'nested': types.note(types.TRUTH,
                         'Those of nested stacks, too.',
                         default=True),
    'blocking': types.note(
        types.one_of(*guard.ACTIONS), 'Only those that stop this action, or '
        'may; other cases and hyphens are read, too.'),
    'at': types.note(types.MOMENT,
                     'Those of this moment, in place of now.'),
}

_TEXT = types.nullable(types.TEXT)
_WHEN = types.nullable(types.SHOWN_MOMENT)

GUARD = {
    'kind': types.note(types.TEXT, 'What it is.', examples=[
        'lock', 'protection', 'unhealthy', 'restriction', 'parameter',
        'policy', 'plugin', 'freeze']),
    'stack_id': types.note(types.TEXT, 'The stack that has it.'),
    'stack_name': types.TEXT,
    'stops': types.note(types.several(types.one_of(*guard.ACTIONS)),
                        'The actions that it stops, all or some of them.'),
    'may_stop': types.note(types.several(types.one_of(*guard.ACTIONS)),
                           'The actions that it may stop: a plugin decides '
                           'at the time.'),
    'name': types.note(_TEXT,
                       'Of a resource, parameter, freeze or plugin; '
                       'null: the stack itself.'),
    'set_by': types.note(_TEXT, 'Null for readers of other projects.'),
    'set_at': _WHEN,
    'reason': _TEXT,
    'lifted_by': types.note(_TEXT,
                            'The policy rule that it takes to lift '
                            'it, or who may.'),
    'how_to_lift': _TEXT,
    'expires_at': types.note(_WHEN, 'When it ends by itself.'),
}

ENDPOINTS = (
    endpoint.Endpoint(
        'get', PATH, 'listGuards',
        'List what protects a stack, from which actions',
        types.whole({'guards': types.several(
            types.titled('Guard', types.whole(GUARD)))}),
        query=QUERY,
        refused={400: 'GuardsInvalid, or an unknown or bad word of the query',
                 403: 'Forbidden by the policy',
                 404: 'No such stack in the project',
                 409: 'The engine that was asked runs without guards'}),
    endpoint.Endpoint(
        'get', endpoint.NAME + '/guards', 'findGuards',
        'Find the guards of a stack by its name or id', None, query=QUERY,
        rules=('stacks:lookup',),
        refused={403: 'Forbidden by the policy',
                 404: 'No such stack in the project'}),
)
