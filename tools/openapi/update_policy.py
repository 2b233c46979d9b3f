# SPDX-License-Identifier: Apache-2.0

"""The fields of update policies in the preview of an update."""

from heat_extras.plan import change
from openapi import endpoint
from openapi import types

_RESTRICTED = types.besides({
    'resource_name': types.TEXT,
    'restricted_action': types.note(
        types.nullable(types.one_of(
            change.UPDATE, change.REPLACE, change.REMOVE)),
        'The action that is forbidden. Null if the update policies of a '
        'resource and of a resource that contains it contradict each other.'),
    'restricted_reason': types.TEXT})

ENDPOINTS = tuple(
    endpoint.Endpoint(
        method, endpoint.PREVIEW, name, 'Preview an update',
        types.besides({'resource_changes': types.besides(
            {'restricted': types.note(
                types.several(_RESTRICTED), 'The changes that '
                'update_policy.allow forbids. The update would be '
                'rejected.')})}),
        body={'type': 'object'}, rules=(f'stacks:{rule}',), is_heats=True)
    for method, name, rule in (
        ('put', 'previewUpdate', 'preview_update'),
        ('patch', 'previewPatch', 'preview_update_patch')))
