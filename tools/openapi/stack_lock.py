# SPDX-License-Identifier: Apache-2.0

"""What locks and protections from deletion are in Heat's API."""

from heat_extras.stack_lock.delete_protection import protection
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock.resource_locks import states as protection_states
from heat_extras.stack_lock import states
from openapi import endpoint
from openapi import types

#: The list of locks.
LOCKS = '/{tenant_id}/locks'
#: The most of them in one answer, and how many are in it by default.
MOST_LOCKS = 1000

_LEVEL = types.one_of(*states.LEVELS)
_STATUS = types.one_of(*(
    f'{action}_{status}' for action in (states.LOCK, states.UNLOCK)
    for status in (states.IN_PROGRESS, states.COMPLETE, states.FAILED)
    if (action, status) != (states.UNLOCK, states.COMPLETE)))
_REASON = types.note(
    types.nullable(types.WRITTEN),
    'Only with characters that the database of this Heat takes.')
_ID = types.note(
    types.ID, 'The id of a lock: only while that lock is in force.')
_END = types.note(
    types.nullable(types.MOMENT),
    'When an engine lifts the lock, in the future and at most [heat_extras] '
    'lock_max_days ahead. Fractions of a second are rounded up. Null: never.')

#: What may stand under the name of an action.
LOCK = types.Fields({
    'level': types.note(_LEVEL,
                        'What is locked: the stacks, or resources '
                        'in their services, too. Without: the level of the '
                        'lock that is there, or all.'),
    'reason': _REASON,
    'dry_run': types.note(types.TRUTH,
                          'Change nothing, and tell what would '
                          'be protected.', default=False),
    'expires_at': _END,
    'id': types.note(types.nullable(types.ID),
                     'The id of a lock: only while that lock is in force. '
                     'Null: only while the stack is not locked. Without: '
                     'a lock of the same user, or none.'),
    'replace': types.note(types.TRUTH,
                          'Replace all of a lock that is there, also if '
                          'another user has set it. Without: the lock keeps '
                          'what the request does not name.',
                          default=False)})
UNLOCK = types.Fields({
    'id': _ID,
    'ignore_failures': types.note(
        types.TRUTH, 'Unlock the stack also when the services of some '
        'resources do not release them.', default=False)})
EXTENSION = types.Fields({'expires_at': _END, 'id': _ID},
                         ('expires_at',))
_WORD = {**types.WRITTEN, 'minLength': 1}
_USER: types.Schema = {'title': 'User', 'oneOf': [
    types.whole({'id': _WORD}),
    types.whole({'name': _WORD, 'domain': types.note(
        _WORD, 'The id of a domain, or its name.')})]}
PASS = types.Fields({
    'user': _USER,
    'expires_at': types.note(types.MOMENT,
                             'In the future, and at most a day ahead.'),
    'reason': _REASON}, ('user', 'expires_at'))
PROTECTION = types.Fields({'reason': _REASON})

_ACTIONS = {
    'lock': types.note(types.nullable(LOCK.schema()),
                       'Lock a stack and its nested stacks. Policy rule '
                       'actions:lock.'),
    'unlock': types.note(types.nullable(
        {**UNLOCK.schema(), 'minProperties': 1}),
                         'Lift the lock. Policy rule actions:unlock, for a '
                         'lock of rank admin besides '
                         'actions:unlock_override.'),
    'extend_lock': types.note(EXTENSION.schema(),
                              'Give the lock another end. Policy rule '
                              'actions:extend_lock.'),
    'lock_pass': types.note(types.nullable(PASS.schema()),
                            'Let one update of one user through the lock, '
                            'which has level stacks; null revokes that. '
                            'Policy rule actions:lock_pass.'),
    'protect': types.note(types.nullable(PROTECTION.schema()),
                          'Protect the stack from deletion. Policy rule '
                          'actions:protect.'),
    'unprotect': types.note(types.NULL,
                            'Lift that. Policy rule actions:unprotect, for '
                            'a protection of rank admin besides '
                            'actions:unprotect_override.'),
}

_NAMED = types.nullable(types.TEXT)
_WHEN = types.nullable(types.SHOWN_MOMENT)
_GRANTED = types.nullable(types.titled('Pass', types.whole({
    'user': types.note(types.nullable(_USER),
                       'Null for readers of other projects.'),
    'expires_at': types.SHOWN_MOMENT, 'reason': _NAMED,
    'granted_by': _NAMED, 'granted_at': types.SHOWN_MOMENT,
    'used_at': _WHEN})))
_PROTECTED = types.note(
    types.nullable(types.one_of(
        protection_states.PROTECTED, protection_states.FOUND,
        protection_states.NO_API, protection_states.FAILED,
        protection_states.NOT_RELEASED)),
    'How a lock of level all covers the resource.')
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
            'Of the lock that this has changed or replaced; null: the stack '
            'was not locked.')})}),
        'Of lock: the id of this lock, whoever locks next.'),
    types.note(types.whole({'lock': _DRY_RUN}),
               'Of lock as a dry run.')]}

#: What a stack shows.
OF_STACKS = {
    lock_record.LEVEL: types.nullable(_LEVEL),
    lock_record.STATUS: types.nullable(_STATUS),
    lock_record.STATUS_REASON: _NAMED,
    lock_record.ID: types.nullable(types.ID),
    'lock_reason': _NAMED,
    'locked_by': types.note(_NAMED,
                            'Null for readers of other projects.'),
    'locked_at': _WHEN,
    lock_record.END: _WHEN,
    lock_record.PASS: _GRANTED,
    lock_record.PRIOR_STACK_STATUS: types.note(
        types.TEXT, "Only where [heat_extras] status_overlay lets the lock's "
        "status cover the stack's: that of the stack."),
    protection.PROTECTED: types.TRUTH,
    'delete_protection_reason': _NAMED,
    'delete_protected_by': types.note(
        _NAMED, 'Null for readers of other projects.'),
    'delete_protected_at': _WHEN,
}
#: What a resource of a locked stack shows.
OF_RESOURCES = {**_COVERAGE, 'prior_resource_status': types.note(
    types.TEXT, 'Only where the status of the lock covers its own.')}

_LISTED = types.titled('Lock', types.whole({
    'id': types.ID, 'stack_id': types.TEXT, 'stack_name': types.TEXT,
    'project': types.TEXT, 'level': _LEVEL, 'status': _STATUS,
    'reason': _NAMED,
    'locked_by': types.note(
        _NAMED, 'Null for a lock that was set from another project.'),
    'locked_at': _WHEN, 'expires_at': _WHEN, 'pass': _GRANTED}))
_LIST = types.whole({
    'locks': {**types.several(_LISTED), 'maxItems': MOST_LOCKS},
    'links': {**types.several(types.whole({
        'rel': {'const': 'next'},
        'href': {'type': 'string', 'format': 'uri'}})), 'maxItems': 1}})

#: What may stand in the query of the list of locks.
QUERY = {
    'limit': {'type': 'integer', 'minimum': 1, 'maximum': MOST_LOCKS,
              'default': MOST_LOCKS},
    'marker': types.note(types.ID,
                         'The id of a lock: only those after it, '
                         'whether it is still there or not.'),
    'level': _LEVEL,
    'all_projects': types.note(
        types.TRUTH, 'Those of all projects. Policy rule '
        'locks:global_index.', default=False),
    'expires_before': types.note(
        types.MOMENT, 'Only those that end before this moment.')}

_FILTERS = ("Heat's own filters action and status look at what is shown: with "
            "[heat_extras] status_overlay full or locked, the lock's.")

ENDPOINTS = (
    endpoint.Endpoint(
        'post', endpoint.ACTIONS, 'stackAction',
        'Lock, unlock and protect a stack', _DONE, bodies=_ACTIONS,
        description="The body has one action. Heat's own go there, too; "
        'they are not described here.',
        refused={400: 'StackLockInvalid, or a body that is none of these',
                 403: 'Forbidden by the policy, or StackLockForbidden: the '
                      'lock or the protection has a higher rank',
                 404: 'No such stack in the project',
                 409: 'StackLockConflict: something in the tree is running, '
                      'another lock is in force or none is, or an engine '
                      'that cannot do it is alive'}),
    endpoint.Endpoint(
        'get', LOCKS, 'listLocks',
        'List the locks of a project', _LIST, query=QUERY,
        description='One for each root stack, in the order of their ids. '
        'Where more follow, links has the next page.',
        refused={400: 'An unknown or bad word of the query',
                 403: 'Forbidden by the policy',
                 404: 'No such URL: this Heat has no locks',
                 409: 'The engine that was asked runs without stack_lock'}),
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
