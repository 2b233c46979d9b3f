# SPDX-License-Identifier: Apache-2.0

"""The requests and fields of locks and of delete protection."""

from heat_extras.stack_lock.delete_protection import protection
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock.resource_locks import resource_states
from heat_extras.stack_lock import states
from openapi import endpoint
from openapi import types

#: The list of locks.
LOCKS = '/{tenant_id}/locks'
#: The maximum number of locks in one answer, and the default.
MOST_LOCKS = 1000

_LEVEL = types.one_of(*states.LEVELS)
_STATUS = types.one_of(*(
    f'{action}_{status}' for action in (states.LOCK, states.UNLOCK)
    for status in (states.IN_PROGRESS, states.COMPLETE, states.FAILED)
    if (action, status) != (states.UNLOCK, states.COMPLETE)))
_REASON = types.note(
    types.nullable(types.WRITTEN),
    'The reason, shown to users. The database of this Heat must be able to '
    'store all of its characters.')
_ID = types.note(
    types.ID, 'The ID of the lock. If the lock with this ID is not in effect, '
    'the request is rejected.')
_END = types.note(
    types.nullable(types.MOMENT),
    'The time at which an engine unlocks the stack. It must be in the future '
    'and at most [heat_extras] lock_max_days ahead. Fractions of a second are '
    'rounded up. If null, the lock does not expire.')

#: The values of each action.
LOCK = types.Fields({
    'level': types.note(_LEVEL,
                        '"stacks" locks only the stacks. "all" also protects '
                        'the resources whose services support this. By '
                        'default, the level of your existing lock, or "all".'),
    'reason': _REASON,
    'dry_run': types.note(types.TRUTH,
                          'List the resources that the lock would protect, '
                          'and change nothing.', default=False),
    'expires_at': _END,
    'id': types.note(types.nullable(types.ID),
                     'The ID of the lock to change. If the lock with this ID '
                     'is not in effect, the request is rejected. If id is '
                     'null, the request is rejected if the stack is locked. '
                     'Without id, the request is rejected if another user has '
                     'locked the stack and replace is not true.'),
    'replace': types.note(types.TRUTH,
                          'Replace the level, reason and expiration of the '
                          'existing lock, even if another user has set it. '
                          'If false, the lock keeps each value that the '
                          'request does not contain.',
                          default=False)})
UNLOCK = types.Fields({
    'id': _ID,
    'ignore_failures': types.note(
        types.TRUTH, 'Unlock the stack even if the services of some '
        'resources do not release them.', default=False)})
EXTENSION = types.Fields({'expires_at': _END, 'id': _ID},
                         ('expires_at',))
_WORD = {**types.WRITTEN, 'minLength': 1}
_USER: types.Schema = {'title': 'User', 'oneOf': [
    types.whole({'id': _WORD}),
    types.whole({'name': _WORD, 'domain': types.note(
        _WORD, 'The ID or name of the domain of the user.')})]}
PASS = types.Fields({
    'user': _USER,
    'expires_at': types.note(types.MOMENT,
                             'The time until which the lock pass can be '
                             'used. It must be in the future and at most a '
                             'day ahead.'),
    'reason': _REASON}, ('user', 'expires_at'))
PROTECTION = types.Fields({'reason': _REASON, 'replace': types.note(
    types.TRUTH, 'Replace the protection and its reason, even if another '
    'user has set it.', default=False), 'resources': types.note(
    types.TRUTH, 'Also reject updates that replace or remove a resource of '
    'the stack tree. If the stack is protected with its resources, false '
    'changes nothing.', default=False)})

_ACTIONS = {
    'lock': types.note(types.nullable(LOCK.schema()),
                       'Lock a stack and its nested stacks. Policy rule '
                       'actions:lock.'),
    'unlock': types.note(types.nullable(
        {**UNLOCK.schema(), 'minProperties': 1}),
                         'Unlock a stack and its nested stacks. Policy rule '
                         'actions:unlock, and for an administrator lock also '
                         'actions:unlock_override.'),
    'extend_lock': types.note(EXTENSION.schema(),
                              'Change or remove the expiration time of the '
                              'lock. Policy rule actions:extend_lock.'),
    'lock_pass': types.note(types.nullable(PASS.schema()),
                            'Allow one user to update the locked stack once. '
                            'The level of the lock must be "stacks". Null '
                            'revokes the lock pass. Policy rule '
                            'actions:lock_pass.'),
    'protect': types.note(types.nullable(PROTECTION.schema()),
                          'Protect the stack and its nested stacks from '
                          'deletion. Policy rule actions:protect.'),
    'unprotect': types.note(types.NULL,
                            'Remove the protection of the stack from '
                            'deletion. Policy rule actions:unprotect, and for '
                            'a protection that an administrator has set also '
                            'actions:unprotect_override.'),
}

_NAMED = types.nullable(types.TEXT)
_WHEN = types.nullable(types.SHOWN_MOMENT)
_GRANTED = types.nullable(types.titled('Pass', types.whole({
    'user': types.note(types.nullable(_USER),
                       'The user of the lock pass. Null for readers of other '
                       'projects.'),
    'expires_at': types.SHOWN_MOMENT, 'reason': _NAMED,
    'granted_by': _NAMED, 'granted_at': types.SHOWN_MOMENT,
    'used_at': _WHEN})))
_PROTECTED = types.note(
    types.nullable(types.one_of(
        resource_states.PROTECTED, resource_states.FOUND,
        resource_states.NO_API, resource_states.FAILED,
        resource_states.NOT_RELEASED)),
    'Whether the lock of level all protects the resource in its service.')
_COVERAGE = {'lock_protection': _PROTECTED, 'lock_protection_reason': _NAMED}
_DRY_RUN = types.titled('DryRun', types.whole({
    'level': _LEVEL,
    'resources': types.several(types.whole({
        'resource_name': types.TEXT, 'resource_type': types.TEXT,
        'stack_name': types.TEXT,
        'physical_resource_id': types.nullable(types.TEXT),
        **_COVERAGE}))}))
_DONE: types.Schema = {'oneOf': [
    types.NULL,
    types.note(types.whole({'lock': types.whole({
        'id': types.ID,
        'previous_id': types.note(
            types.nullable(types.ID),
            'The ID of the lock that the request has changed or replaced. '
            'Null if the stack was not locked.')})}),
        'The answer to the action lock: the ID of the lock that this request '
        'has set. A later lock has another ID.'),
    types.note(types.whole({'lock': _DRY_RUN}),
               'The answer to the action lock with dry_run.')]}

#: The fields of a stack.
OF_STACKS = {
    lock_record.LEVEL: types.nullable(_LEVEL),
    lock_record.STATUS: types.nullable(_STATUS),
    lock_record.STATUS_REASON: _NAMED,
    lock_record.ID: types.nullable(types.ID),
    'lock_reason': _NAMED,
    'locked_by': types.note(_NAMED,
                            'The user who locked the stack. Null if this is a '
                            'user of another project than the project of the '
                            'reader.'),
    'locked_at': _WHEN,
    lock_record.END: _WHEN,
    lock_record.PASS: _GRANTED,
    lock_record.PRIOR_STACK_STATUS: types.note(
        types.TEXT, 'The status of the stack itself. Only present while '
        'stack_status shows the lock ([heat_extras] status_overlay).'),
    protection.PROTECTED: types.TRUTH,
    protection.RESOURCES: types.note(
        types.TRUTH, 'Whether updates that replace or remove a resource of '
                     'the stack tree are rejected.'),
    'delete_protection_reason': _NAMED,
    'delete_protected_by': types.note(
        _NAMED, 'The user who protected the stack. Null if this is a user of '
                'another project than the project of the reader.'),
    'delete_protected_at': _WHEN,
}
#: The fields of a resource of a locked stack.
OF_RESOURCES = {**_COVERAGE, 'prior_resource_status': types.note(
    types.TEXT, 'The status of the resource itself. Only present while '
    'resource_status shows the lock.')}

_LISTED = types.titled('Lock', types.whole({
    'id': types.ID, 'stack_id': types.TEXT, 'stack_name': types.TEXT,
    'project': types.TEXT, 'level': _LEVEL, 'status': _STATUS,
    'reason': _NAMED,
    'locked_by': types.note(
        _NAMED, 'The user who locked the stack. Null if this is a user of '
                'another project than the project of the reader.'),
    'locked_at': _WHEN, 'expires_at': _WHEN, 'pass': _GRANTED}))
_LIST = types.whole({
    'locks': {**types.several(_LISTED), 'maxItems': MOST_LOCKS},
    'links': {**types.several(types.whole({
        'rel': {'const': 'next'},
        'href': {'type': 'string', 'format': 'uri'}})), 'maxItems': 1}})

#: The query parameters of the list of locks.
QUERY = {
    'limit': {'type': 'integer', 'minimum': 1, 'maximum': MOST_LOCKS,
              'default': MOST_LOCKS},
    'marker': types.note(types.ID,
                         'List only locks whose ID follows this ID. A lock '
                         'with this ID need not exist.'),
    'level': types.note(_LEVEL, 'List only locks of this level.'),
    'all_projects': types.note(
        types.TRUTH, 'List the locks of all projects. Policy rule '
        'locks:global_index.', default=False),
    'expires_before': types.note(
        types.MOMENT, 'List only locks that expire before this time.')}

_FILTERS = ("Heat's own filters action and status use the shown values. If "
            '[heat_extras] status_overlay is full, a locked stack '
            'shows the status of its lock.')

ENDPOINTS = (
    endpoint.Endpoint(
        'post', endpoint.ACTIONS, 'stackAction',
        'Lock, unlock and protect a stack', _DONE, bodies=_ACTIONS,
        description="The body contains one action. Heat's own actions use "
        'the same URL. They are not described here.',
        refused={400: 'StackLockInvalid, or the body is not valid',
                 403: 'A policy rule forbids the request, or '
                      'StackLockForbidden: an administrator has set the lock '
                      'or the protection',
                 404: 'The project has no stack with this name and ID',
                 409: 'StackLockConflict: an operation is in progress in the '
                      'stack tree, another lock is in effect, the stack is '
                      'not locked or not protected, or a live engine does '
                      'not run stack_lock'}),
    endpoint.Endpoint(
        'get', LOCKS, 'listLocks',
        'List the locks of a project', _LIST, query=QUERY,
        description='The locks of root stacks, in the order of the IDs of '
        'the locks. If there are more locks, links contains the URL of the '
        'next page.',
        refused={400: 'A query parameter is unknown or not valid',
                 403: 'A policy rule forbids the request',
                 404: 'The feature stack_lock is not enabled in heat-api',
                 409: 'The feature stack_lock is not enabled on the '
                      'heat-engine that received the request'}),
    *endpoint.of_stacks(OF_STACKS, _FILTERS),
    endpoint.Endpoint(
        'get', endpoint.RESOURCES, 'listResources',
        'List the resources of a stack',
        types.besides({'resources': types.several(
            types.besides(OF_RESOURCES))}),
        rules=('resource:index',), is_heats=True),
    endpoint.Endpoint(
        'get', endpoint.RESOURCE, 'showResource', 'Show a resource',
        types.besides({'resource': types.besides(OF_RESOURCES)}),
        rules=('resource:show',), is_heats=True),
)
