# SPDX-License-Identifier: Apache-2.0

"""The request that lists the freezes of a project."""

from heat_extras.freeze import window
from openapi import endpoint
from openapi import types

FREEZE = {
    'name': types.TEXT,
    'reason': types.nullable(types.TEXT),
    'begin': types.note(types.SHOWN_MOMENT,
                        'The begin of the current or next period.'),
    'end': types.note(types.SHOWN_MOMENT, 'The end of this period.'),
    'active': types.note(types.TRUTH, 'Whether the freeze is in effect now.'),
    'operations': types.note(
        types.several(types.one_of(*sorted(
            name.replace(' ', '_') for name in window.ALL))),
        'The operations that are rejected. Signals are ignored.'),
}

ENDPOINTS = (
    endpoint.Endpoint(
        'get', '/{tenant_id}/freezes', 'listFreezes',
        'List the freezes of a project that are in effect or will begin',
        types.whole({'freezes': types.several(
            types.titled('Freeze', types.whole(FREEZE)))}),
        rules=('stacks:index',),
        refused={400: 'The request has a query parameter',
                 403: 'A policy rule forbids the request'}),
)
