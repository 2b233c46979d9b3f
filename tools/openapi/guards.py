# SPDX-License-Identifier: Apache-2.0

"""The requests that list the guards of a stack."""

import pathlib
import re

from heat_extras import guard
from openapi import endpoint
from openapi import types

PATH = endpoint.STACK + '/guards'

#: The query parameters.
QUERY = {
    'nested': types.note(types.TRUTH,
                         'Also list the guards of nested stacks.',
                         default=True),
    'blocking': types.note(
        types.one_of(*guard.ACTIONS), 'List only guards that stop this '
        'action, or may stop it. Uppercase letters, and hyphens in place of '
        'underscores, are also accepted.'),
    'at': types.note(types.MOMENT,
                     'List the guards of this time instead of the current '
                     'guards: the freezes of this time, and the current '
                     'guards that will not have expired.'),
}

_TEXT = types.nullable(types.TEXT)
_WHEN = types.nullable(types.SHOWN_MOMENT)

_KINDS = sorted({kind for path in pathlib.Path(guard.__file__).parent.rglob(
    '*guard*.py') for kind in re.findall(r"kind='(\w+)'", path.read_text())})

GUARD = {
    'kind': types.note(types.TEXT, 'The kind of the guard.',
                       examples=_KINDS),
    'stack_id': types.note(types.TEXT, 'The stack that has the guard.'),
    'stack_name': types.TEXT,
    'stops': types.note(types.several(types.one_of(*guard.ACTIONS)),
                        'The actions that the guard stops, always or in some '
                        'cases.'),
    'may_stop': types.note(types.several(types.one_of(*guard.ACTIONS)),
                           'The actions that the guard may stop: a lifecycle '
                           'plugin, which allows or denies each request.'),
    'name': types.note(_TEXT,
                       'The name of the resource, parameter, freeze or '
                       'plugin. Null if the guard is for the stack itself.'),
    'set_by': types.note(_TEXT, 'The user who has set the guard. Null if this '
                                'is a user of another project than the '
                                'project of the reader.'),
    'set_at': _WHEN,
    'reason': _TEXT,
    'lifted_by': types.note(_TEXT,
                            'The policy rule that is required to remove the '
                            'guard, or who can remove it.'),
    'how_to_lift': types.note(_TEXT, 'How to remove the guard.'),
    'expires_at': types.note(_WHEN, 'The time at which the guard ends by '
                                    'itself. Null if the guard does not end '
                                    'by itself.'),
}

ENDPOINTS = (
    endpoint.Endpoint(
        'get', PATH, 'listGuards',
        'List the guards of a stack, and the actions that they stop',
        types.whole({'guards': types.several(
            types.titled('Guard', types.whole(GUARD)))}),
        query=QUERY,
        refused={400: 'GuardsInvalid, or a query parameter is unknown or not '
                      'valid',
                 403: 'A policy rule forbids the request',
                 404: 'The project has no stack with this name or ID',
                 409: 'The feature guards is not enabled on the heat-engine '
                      'that received the request'}),
    endpoint.Endpoint(
        'get', endpoint.NAME + '/guards', 'findGuards',
        'Find the guards of a stack by the name or ID of the stack', None,
        query=QUERY, rules=('stacks:lookup',),
        refused={403: 'A policy rule forbids the request',
                 404: 'The project has no stack with this name or ID'}),
)
