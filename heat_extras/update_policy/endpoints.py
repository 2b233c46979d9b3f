# SPDX-License-Identifier: Apache-2.0

"""What the preview of an update tells of update policies.

Pure: nothing of Heat is imported.
"""

from heat_extras.description import endpoint
from heat_extras.description import shapes
from heat_extras.update_plan import change

_RESTRICTED = shapes.besides({
    'resource_name': shapes.TEXT,
    'restricted_action': shapes.told(
        shapes.nullable(shapes.one_of(
            change.UPDATE, change.REPLACE, change.REMOVE)),
        'Null for a contradiction that is not known earlier.'),
    'restricted_reason': shapes.TEXT})

ENDPOINTS = tuple(
    endpoint.Endpoint(
        method, endpoint.PREVIEW, name, 'Preview an update',
        shapes.besides({'resource_changes': shapes.besides(
            {'restricted': shapes.told(
                shapes.several(_RESTRICTED), 'What the update would be '
                'refused for by update_policy, allow.')})}),
        body={'type': 'object'}, rules=(f'stacks:{rule}',), is_heats=True)
    for method, name, rule in (
        ('put', 'previewUpdate', 'preview_update'),
        ('patch', 'previewPatch', 'preview_update_patch')))
