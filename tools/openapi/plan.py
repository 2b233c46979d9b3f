# SPDX-License-Identifier: Apache-2.0

"""The plan of an update, in the answer of its preview."""

from heat_extras.plan import preview
from heat_extras.update_plan import reasons
from heat_extras.update_plan import tree_plan
from heat_extras.update_plan import unknown
from openapi import endpoint
from openapi import types

_SOURCE = types.titled('UnknownSource', types.whole({
    'kind': types.one_of(unknown.RESOURCE, unknown.PARAMETER),
    'name': types.TEXT,
    'attribute': types.note(types.nullable(types.TEXT),
                            'Null for the reference of a resource.')}))
_REASON = types.titled('ChangeReason', types.whole({
    'kind': types.one_of(*reasons.KINDS),
    'message': types.TEXT,
    'property': types.nullable(types.TEXT),
    'forces_replacement': types.note(
        types.nullable(types.TRUTH), 'Null where it cannot be determined.'),
    'waits_for': types.note(types.several(_SOURCE),
                            'The values that are not known yet.')}))
_STOP = types.titled('PlanStop', types.whole({
    'type': types.note(types.TEXT, 'As error.type of a rejected request.'),
    'message': types.TEXT,
    'certainty': types.one_of(preview.WILL, preview.MAY),
    'when': types.note(
        types.one_of('before_start', 'during'),
        'Whether the update is rejected before anything is changed, or '
        'fails at the resource.')}))
_ENTRY = types.titled('PlanEntry', types.whole({
    'path': types.note(types.TEXT, 'The names of the resources around it and '
                                   'its own, separated by slashes.'),
    'resource_name': types.note(types.nullable(types.TEXT),
                                'Null if Heat generates the name.'),
    'resource_type': types.nullable(types.TEXT),
    'physical_resource_id': types.nullable(types.TEXT),
    'action': types.one_of(*preview.ACTIONS.values()),
    'certainty': types.one_of(*preview.CERTAINTIES),
    'order': types.note(types.nullable(types.one_of(
        tree_plan.CREATE_FIRST, tree_plan.DELETE_FIRST)),
        'Of a replacement.'),
    'reasons': types.several(_REASON),
    'stops': types.several(_STOP)}))

ENDPOINTS = tuple(
    endpoint.Endpoint(
        method, endpoint.PREVIEW, name, 'Preview an update',
        types.besides({'resource_changes': types.besides({
            'plan': types.note(types.several(_ENTRY), 'One entry for each '
                               'resource of the stack tree, by path.'),
            'plan_stops': types.note(
                types.several(_STOP), 'What stops the whole update.')})}),
        body={'type': 'object'}, rules=(f'stacks:{rule}',), is_heats=True)
    for method, name, rule in (
        ('put', 'previewUpdate', 'preview_update'),
        ('patch', 'previewPatch', 'preview_update_patch')))
