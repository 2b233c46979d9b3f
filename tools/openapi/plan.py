# SPDX-License-Identifier: Apache-2.0

"""The plan of an update or creation in a preview, and in the request."""

from heat_extras.plan import deletion
from heat_extras.plan import reasons
from heat_extras.plan import reviewed_request
from heat_extras.plan import tree_plan
from heat_extras.plan import unknown
from openapi import endpoint
from openapi import types

_SOURCE = types.titled('UnknownSource', types.whole({
    'kind': types.one_of(unknown.RESOURCE, unknown.PARAMETER),
    'name': types.TEXT,
    'attribute': types.note(types.nullable(types.TEXT),
                            'The attribute of the resource on which the value '
                            'depends. Null if the value depends on a '
                            'parameter, or on the reference ID of the '
                            'resource.')}))
_REASON = types.titled('ChangeReason', types.whole({
    'kind': types.one_of(*reasons.KINDS),
    'message': types.TEXT,
    'property': types.nullable(types.TEXT),
    'forces_replacement': types.note(
        types.nullable(types.TRUTH), 'Whether the resource must be replaced '
                                     'for this reason. Null if this is not '
                                     'known before the update.'),
    'waits_for': types.note(types.several(_SOURCE),
                            'The values that are not known yet.')}))
_VALUE = types.titled('ChangedValue', types.whole({
    'property': types.TEXT,
    'path': types.note(types.TEXT, 'The place in the properties, for example '
                                   'networks[0].port.'),
    'before': types.note(types.ANYTHING,
                         'The value now. Null if there is none.'),
    'after': types.note(types.ANYTHING,
                        'The value after the update. Null if there is none, '
                        'or if it is not known.'),
    'hidden': types.note(types.TRUTH, 'Whether both values are null because '
                                      'they can come from a hidden '
                                      'parameter.'),
    'unknown': types.note(types.TRUTH, 'Whether the value after the update '
                                       'is not known yet.'),
    'truncated': types.note(types.TRUTH, 'Whether a value was too long, and '
                                         'is shortened to a text.'),
    'forces_replacement': types.note(
        types.nullable(types.TRUTH), 'As in the reasons.'),
    'waits_for': types.note(types.several(_SOURCE),
                            'The values that are not known yet.')}))
_STOP = types.titled('PlanStop', types.whole({
    'type': types.note(types.TEXT, 'The type of the error, as in error.type '
                                   'of a rejected request.'),
    'message': types.TEXT,
    'certainty': types.one_of(
        reviewed_request.WILL, reviewed_request.MAY),
    'when': types.note(
        types.one_of('before_start', 'during'),
        'Whether the update is rejected before anything is changed, or '
        'fails at the resource.')}))
_PLACEHOLDER = types.note(
    types.nullable(types.one_of(*reviewed_request.PLACEHOLDERS)),
    'Not null if the last name of the path is not the name of a resource: '
    '"new" for a resource whose name Heat generates, "others" for all other '
    'resources that the nested stack can have.')
_ENTRY_FIELDS = {
    'path': types.note(types.TEXT, 'The path of the resource: the names of '
                                   'the resources that contain it, and its '
                                   'own name, separated by slashes.'),
    'resource_name': types.note(types.nullable(types.TEXT),
                                'The name of the resource. Null if Heat '
                                'generates the name during the update.'),
    reviewed_request.PLACEHOLDER: _PLACEHOLDER,
    'resource_type': types.nullable(types.TEXT),
    'physical_resource_id': types.nullable(types.TEXT),
    'action': types.one_of(*reviewed_request.ACTIONS),
    'certainty': types.one_of(*reviewed_request.CERTAINTIES),
    'order': types.note(types.nullable(types.one_of(
        tree_plan.CREATE_FIRST, tree_plan.DELETE_FIRST)),
        'Of a replacement.'),
    'reasons': types.several(_REASON),
    'values': types.note(types.several(_VALUE), 'The values of properties '
                         'that change, or may change.'),
    'stops': types.several(_STOP)}
_ENTRY = types.titled('PlanEntry', types.whole(_ENTRY_FIELDS))
_DELETED = types.titled('DeletionEntry', types.whole({
    **_ENTRY_FIELDS, 'action': types.one_of(
        reviewed_request.REMOVED, deletion.SNAPSHOT, deletion.RETAINED)}))

_SOURCE_FIELDS = {
    reviewed_request.REVISION: types.note(
        types.TEXT, 'A digest that changes with each update of the stack '
        'tree. For a new stack, it changes with the plan.'),
    reviewed_request.SALT: types.TEXT,
    reviewed_request.HIDDEN: types.note(
        {'type': 'object', 'additionalProperties': types.TEXT},
        'Digests of the values of hidden parameters, by the names of the '
        'parameters.'),
    reviewed_request.DIGEST: types.note(
        types.TEXT, 'The SHA-256 digest of the lists "plan" and "plan_stops", '
        'as JSON with sorted keys. A client that stores the plan can compute '
        'it again.'),
    reviewed_request.SEAL: types.note(
        types.TEXT, 'Keyed digests of the request, the plan and its source.')}
_PLAN_SOURCE = types.titled('PlanSource', types.whole(_SOURCE_FIELDS))
_REVIEWED = types.titled('ReviewedPlan', types.whole({
    **_SOURCE_FIELDS,
    reviewed_request.CHANGES: types.note(
        types.several(types.Fields({
            'path': types.TEXT,
            'action': types.one_of(*reviewed_request.ACTIONS),
            'certainty': types.one_of(*reviewed_request.CERTAINTIES),
            reviewed_request.PLACEHOLDER: _PLACEHOLDER},
            reviewed_request.ENTRY_FIELDS).schema()),
        'The entries of the plan, at least those that are not certain to be '
        'unchanged.')}))

_HIDDEN = types.titled('HiddenDefault', types.whole({
    'name': types.TEXT,
    'template': types.note(
        types.nullable(types.TEXT), 'The file of the template that has the '
        'parameter, or the path of its nested stack. Null for the current '
        'root template.')}))


def _body(condition):
    return types.besides({reviewed_request.FIELD: types.note(
        _REVIEWED, f'{condition}, the request is rejected with 409 '
        'PlanNotApplicable. If the plan is not valid, the request is rejected '
        'with 400 InvalidPlan.')})


_PLAN = types.besides({
    'plan': types.note(types.several(_ENTRY), 'One entry for each resource of '
                       'the stack tree, by path.'),
    'plan_stops': types.note(
        types.several(_STOP), 'The reasons why the whole update or creation '
                              'would be stopped.'),
    'plan_changes_stack': types.note(
        types.TRUTH, 'Whether the update changes the template, its files, '
        'the environment, the tags or the options of the stack. False for a '
        'new stack.'),
    'plan_source': types.note(
        types.nullable(_PLAN_SOURCE),
        'The data from which the plan was made. To apply the plan, send these '
        'fields and "changes" in the field "plan" of the update or creation. '
        'Null if an engine cannot apply plans.'),
    'plan_hidden': types.note(
        types.several(_HIDDEN), 'The parameters whose values must not be '
        'stored as "parameter_defaults" of the environment. Of '
        'hidden_parameters, no value must be stored.')})

_PREVIEWS = tuple(
    endpoint.Endpoint(
        method, path, name, summary, types.besides({field: _PLAN}),
        body=body, rules=(f'stacks:{rule}',), is_heats=True)
    for method, path, name, summary, field, rule, body in (
        ('post', endpoint.PREVIEW_CREATE, 'previewStack', 'Preview a stack',
         'stack', 'preview',
         _body('The plan to check. If the creation would differ from it')),
        *((method, endpoint.PREVIEW, name, 'Preview an update',
           'resource_changes', rule,
           _body('The plan to check. If an update would differ from it'))
          for method, name, rule in (
              ('put', 'previewUpdate', 'preview_update'),
              ('patch', 'previewPatch', 'preview_update_patch')))))

_UPDATES = tuple(
    endpoint.Endpoint(
        method, endpoint.STACK, name, 'Update a stack', types.NOTHING,
        is_heats=True, rules=(f'stacks:{rule}',),
        body=_body('The plan that the update must comply with. If the update '
                   'would differ from it'))
    for method, name, rule in (
        ('put', 'updateStack', 'update'),
        ('patch', 'patchStack', 'update_patch')))

_CREATE = endpoint.Endpoint(
    'post', endpoint.LIST, 'createStack', 'Create a stack',
    {'type': 'object'}, is_heats=True, status=201, rules=('stacks:create',),
    body=_body('The plan that the creation must comply with. If the creation '
               'would differ from it'))

_DELETE = endpoint.Endpoint(
    'get', endpoint.STACK + '/delete_preview', 'previewDelete',
    'Show what a deletion of a stack would do, without a change',
    types.whole({
        'plan': types.note(
            types.several(_DELETED), 'One entry for each resource of the '
            'stack tree. The resources of a stack are in the order of their '
            'deletion, each before the resources of its nested stack. After '
            'an unfinished replacement, two entries can have the same path.'),
        'plan_stops': types.note(
            types.several(_STOP), 'The guards that stop the deletion. The '
            'type is the kind of the guard. The list "stops" of a resource '
            'has the protection that somebody else has set in its service '
            '(type "resource_lock").')}),
    rules=('stacks:delete',), refused={
        400: 'A query parameter is unknown',
        403: 'A policy rule forbids the request',
        404: 'The project has no stack with this name or ID',
        409: 'The feature plan is not enabled on the heat-engine that '
             'received the request'})

_FIND = endpoint.Endpoint(
    'get', endpoint.NAME + '/delete_preview', 'findDeletePreview',
    'Find the preview of a deletion by the name or ID of the stack', None,
    rules=('stacks:lookup',),
    refused={403: 'A policy rule forbids the request',
             404: 'The project has no stack with this name or ID'})

ENDPOINTS = (*_PREVIEWS, *_UPDATES, _CREATE, _DELETE, _FIND)
