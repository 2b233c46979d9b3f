# SPDX-License-Identifier: Apache-2.0

"""What locks and protections from deletion are in Heat's API.

What requests may have is read from here, too. Pure: nothing of Heat is
imported.
"""

from heat_extras.description import endpoint
from heat_extras.description import shapes
from heat_extras.stack_lock.delete_protection import record
from heat_extras.stack_lock import locks
from heat_extras.stack_lock.protection import states as protection_states
from heat_extras.stack_lock import states

#: The list of locks.
LOCKS = '/{tenant_id}/locks'
#: The most of them in one answer, and how many are in it by default.
MOST_LOCKS = 1000

_LEVEL = shapes.one_of(*states.LEVELS)
_STATUS = shapes.one_of(*(
    f'{action}_{status}' for action in (states.LOCK, states.UNLOCK)
    for status in (states.IN_PROGRESS, states.COMPLETE, states.FAILED)
    if (action, status) != (states.UNLOCK, states.COMPLETE)))
_REASON = shapes.told(
    shapes.nullable(shapes.WRITTEN),
    'Only with characters that the database of this Heat takes.')
_ID = shapes.told(
    shapes.ID, 'The id of a lock: only while that lock is in force.')
_END = shapes.told(
    shapes.nullable(shapes.MOMENT),
    'When an engine lifts the lock, in the future and at most [heat_extras] '
    'lock_max_days ahead. Fractions of a second are rounded up. Null: never.')

#: What may stand under the name of an action.
LOCK = shapes.Fields({
    'level': shapes.told(_LEVEL, 'What is locked: the stacks, or resources '
                         'in their services, too.',
                         default=states.DEFAULT_LEVEL),
    'reason': _REASON,
    'dry_run': shapes.told(shapes.TRUTH, 'Change nothing, and tell what would '
                           'be protected.', default=False),
    'expires_at': _END,
    'id': shapes.told(shapes.nullable(shapes.ID),
                      'The id of a lock: only while that lock is in force. '
                      'Null: only while the stack is not locked. Without: '
                      'whatever lock there is.')})
UNLOCK = shapes.Fields({'id': _ID}, ('id',))
EXTENSION = shapes.Fields({'expires_at': _END, 'id': _ID}, ('expires_at',))
_WORD = {**shapes.WRITTEN, 'minLength': 1}
_USER: shapes.Schema = {'title': 'User', 'oneOf': [
    shapes.whole({'id': _WORD}),
    shapes.whole({'name': _WORD, 'domain': shapes.told(
        _WORD, 'The id of a domain, or its name.')})]}
PASS = shapes.Fields({
    'user': _USER,
    'expires_at': shapes.told(shapes.MOMENT,
                              'In the future, and at most a day ahead.'),
    'reason': _REASON}, ('user', 'expires_at'))
PROTECTION = shapes.Fields({'reason': _REASON})

_ACTIONS = {
    'lock': shapes.told(shapes.nullable(LOCK.schema()),
                        'Lock a stack and its nested stacks. Policy rule '
                        'actions:lock.'),
    'unlock': shapes.told(shapes.nullable(UNLOCK.schema()),
                          'Lift the lock. Policy rule actions:unlock, for a '
                          'lock of rank admin besides '
                          'actions:unlock_override.'),
    'extend_lock': shapes.told(EXTENSION.schema(),
                               'Give the lock another end. Policy rule '
                               'actions:extend_lock.'),
    'lock_pass': shapes.told(shapes.nullable(PASS.schema()),
                             'Let one update of one user through the lock, '
                             'which has level stacks; null revokes that. '
                             'Policy rule actions:lock_pass.'),
    'protect': shapes.told(shapes.nullable(PROTECTION.schema()),
                           'Protect the stack from deletion. Policy rule '
                           'actions:protect.'),
    'unprotect': shapes.told(shapes.NULL,
                             'Lift that. Policy rule actions:unprotect, for '
                             'a protection of rank admin besides '
                             'actions:unprotect_override.'),
}

_NAMED = shapes.nullable(shapes.TEXT)
_WHEN = shapes.nullable(shapes.SHOWN_MOMENT)
_GRANTED = shapes.nullable(shapes.titled('Pass', shapes.whole({
    'user': shapes.told(shapes.nullable(_USER),
                        'Null for readers of other projects.'),
    'expires_at': shapes.SHOWN_MOMENT, 'reason': _NAMED,
    'granted_by': _NAMED, 'granted_at': shapes.SHOWN_MOMENT,
    'used_at': _WHEN})))
_PROTECTED = shapes.told(
    shapes.nullable(shapes.one_of(
        protection_states.PROTECTED, protection_states.FOUND,
        protection_states.NO_API, protection_states.FAILED)),
    'How a lock of level all covers the resource.')
_COVERAGE = {'lock_protection': _PROTECTED, 'lock_protection_reason': _NAMED}
_DRY_RUN = shapes.titled('DryRun', shapes.whole({
    'level': _LEVEL,
    'resources': shapes.several(shapes.whole({
        'resource_name': shapes.TEXT, 'resource_type': shapes.TEXT,
        'stack_name': shapes.TEXT,
        'physical_resource_id': shapes.nullable(shapes.TEXT),
        **_COVERAGE}))}))
_DONE: shapes.Schema = {'oneOf': [
    shapes.NULL,
    shapes.told(shapes.whole({'lock': shapes.whole({'id': shapes.ID})}),
                'Of lock: the id of this lock, whoever locks next.'),
    shapes.told(shapes.whole({'lock': _DRY_RUN}), 'Of lock as a dry run.')]}

#: What a stack shows.
OF_STACKS = {
    locks.LEVEL: shapes.nullable(_LEVEL),
    locks.STATUS: shapes.nullable(_STATUS),
    locks.STATUS_REASON: _NAMED,
    locks.ID: shapes.nullable(shapes.ID),
    'lock_reason': _NAMED,
    'locked_by': shapes.told(_NAMED, 'Null for readers of other projects.'),
    'locked_at': _WHEN,
    locks.END: _WHEN,
    locks.PASS: _GRANTED,
    locks.PRIOR_STACK_STATUS: shapes.told(
        shapes.TEXT, "Only where [heat_extras] status_overlay lets the lock's "
        "status cover the stack's: that of the stack."),
    record.PROTECTED: shapes.TRUTH,
    'delete_protection_reason': _NAMED,
    'delete_protected_by': shapes.told(
        _NAMED, 'Null for readers of other projects.'),
    'delete_protected_at': _WHEN,
}
#: What a resource of a locked stack shows.
OF_RESOURCES = {**_COVERAGE, 'prior_resource_status': shapes.told(
    shapes.TEXT, 'Only where the status of the lock covers its own.')}

_LISTED = shapes.titled('Lock', shapes.whole({
    'id': shapes.ID, 'stack_id': shapes.TEXT, 'stack_name': shapes.TEXT,
    'project': shapes.TEXT, 'level': _LEVEL, 'status': _STATUS,
    'reason': _NAMED,
    'locked_by': shapes.told(
        _NAMED, 'Null for a lock that was set from another project.'),
    'locked_at': _WHEN, 'expires_at': _WHEN, 'pass': _GRANTED}))
_LIST = shapes.whole({
    'locks': {**shapes.several(_LISTED), 'maxItems': MOST_LOCKS},
    'links': {**shapes.several(shapes.whole({
        'rel': {'const': 'next'},
        'href': {'type': 'string', 'format': 'uri'}})), 'maxItems': 1}})

#: What may stand in the query of the list of locks.
QUERY = {
    'limit': {'type': 'integer', 'minimum': 1, 'maximum': MOST_LOCKS,
              'default': MOST_LOCKS},
    'marker': shapes.told(shapes.ID, 'The id of a lock: only those after it, '
                          'whether it is still there or not.'),
    'level': _LEVEL,
    'all_projects': shapes.told(
        shapes.TRUTH, 'Those of all projects. Policy rule '
        'locks:global_index.', default=False),
    'expires_before': shapes.told(
        shapes.MOMENT, 'Only those that end before this moment.')}

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
                 409: 'StackLockConflict: an engine is alive whose locks '
                      'have no ids'}),
    *endpoint.of_stacks(OF_STACKS, _FILTERS),
    endpoint.Endpoint(
        'get', endpoint.RESOURCES, 'listResources',
        'List the resources of a stack',
        shapes.besides({'resources': shapes.several(
            shapes.besides(OF_RESOURCES))}),
        rules=('resource:index',), is_heats=True),
    endpoint.Endpoint(
        'get', endpoint.RESOURCE, 'showResource', 'Show a resource',
        shapes.besides({'resource': shapes.besides(OF_RESOURCES)}),
        rules=('resource:show',), is_heats=True),
)
