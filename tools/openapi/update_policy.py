# SPDX-License-Identifier: Apache-2.0

"""What the preview of an update tells of update policies."""

from heat_extras.update_plan import change
from openapi import endpoint
from openapi import types

_RESTRICTED = types.besides({
    'resource_name': types.TEXT,
    'restricted_action': types.note(
        types.nullable(types.one_of(
            change.UPDATE, change.REPLACE, change.REMOVE)),
        'Null for a contradiction that is not known earlier.'),
    'restricted_reason': types.TEXT})

ENDPOINTS = tuple(
    endpoint.Endpoint(
        method, endpoint.PREVIEW, name, 'Preview an update',
        types.besides({'resource_changes': types.besides(
            {'restricted': types.note(
                types.several(_RESTRICTED), 'What the update would be '
                'refused for by update_policy, allow.')})}),
        body={'type': 'object'}, rules=(f'stacks:{rule}',), is_heats=True)
    for method, name, rule in (
        ('put', 'previewUpdate', 'preview_update'),
        ('patch', 'previewPatch', 'preview_update_patch')))
