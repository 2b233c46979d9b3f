# SPDX-License-Identifier: Apache-2.0

"""A stack, the operation of a consumer on it, and the user who locks it."""

import json
import os

from tests.harness import waiting

NAME = 'web'
CREATE, UPDATE, BAD_UPDATE, DELETE = (
    'create', 'update', 'failing update', 'delete')
# The outcomes of an operation.
NOTHING, UNDER_WAY, DONE, FAILED, ROLLED_BACK = (
    'nothing', 'under way', 'done', 'failed', 'rolled back')

# Long enough to send requests during the operation.
SECONDS = 4
TEMPLATE = {
    'heat_template_version': '2018-08-31',
    'parameters': {
        'value': {'type': 'string', 'default': 'one'},
        'is_bad': {'type': 'boolean', 'default': False}},
    'resources': {
        'text': {'type': 'OS::Heat::RandomString'},
        'test': {
            'type': 'OS::Heat::TestResource',
            'properties': {
                'value': {'get_param': 'value'},
                'fail': {'get_param': 'is_bad'},
                'action_wait_secs': {'create': SECONDS, 'update': SECONDS,
                                     'delete': SECONDS}}}}}
PARAMETERS = {CREATE: {'value': 'one'}, UPDATE: {'value': 'two'},
              BAD_UPDATE: {'value': 'three', 'is_bad': True}, DELETE: {}}

_OWN = ('LOCK', 'UNLOCK')
# Services need some time before they send a request to Heat.
_TO_BEGIN = 180
_ENDS = {'COMPLETE': DONE, 'FAILED': FAILED, 'IN_PROGRESS': UNDER_WAY}


class Scenario:
    """A stack in a separate project.

    :ivar owner: client of who locks
    :ivar template_path: the template in a file, for consumers
    """

    def __init__(self, environment, project, operation):
        self.environment = environment
        self.project = project
        self.operation = operation
        self.owner = environment.client(project)
        self.template_path = os.path.join(environment.directory, 'web.yaml')
        self._before = 0
        self._path = None
        with open(self.template_path, 'w') as target:
            json.dump(TEMPLATE, target)

    def create(self):
        """Create the stack that the operation needs, and note its events."""
        if self.operation == CREATE:
            return
        self._path = self._make()
        self._before = len(self._statuses())

    @property
    def path(self):
        """The stack's path, once there is one."""
        if self._path is None:
            self._path = self._find()
        return self._path

    def act(self, name, fields=None):
        """Send an action as the user who locks; return the response."""
        return self.owner.post(f'{self.path}/actions', {name: fields})

    def happened(self):
        """Return the outcome of the operation according to Heat's events."""
        if self.path is None:
            return NOTHING
        if self.operation == DELETE:
            return self._deletion()
        statuses = self._statuses()[self._before:]
        if not statuses:
            return NOTHING
        action, _, end = statuses[-1].partition('_')
        end_status = _ENDS[end]
        return ROLLED_BACK if (action, end_status) == ('ROLLBACK',
                                                       DONE) else end_status

    def is_over(self):
        """Return whether the operation has ended.

        An update that is FAILED may be about to be rolled back.
        """
        return self.happened() in self._ends()

    def outcome(self):
        """Return the outcome when no operation is in progress."""
        return waiting.last(
            self.happened, lambda value: value in (NOTHING, *self._ends()))

    def wait_until_under_way(self):
        """Wait for the consumer's request."""
        waiting.until(f'{self.operation} of {self.project} to begin',
                      self.happened, lambda value: value != NOTHING,
                      seconds=_TO_BEGIN)

    def _make(self):
        """Create the stack; return its path."""
        return self.owner.create_stack(NAME, TEMPLATE)

    def _find(self):
        """Return the path of a stack that the consumer created, or None."""
        answer = self.owner.get(f'/stacks/{NAME}')
        return (f'/stacks/{NAME}/{answer.json()["stack"]["id"]}'
                if answer.status_code == 200 else None)

    def _ends(self):
        return ((ROLLED_BACK,) if self.operation == BAD_UPDATE
                else (DONE, FAILED, ROLLED_BACK))

    def _deletion(self):
        answer = self.owner.get(f'{self.path}?resolve_outputs=false')
        if answer.status_code == 404:
            return DONE
        stack = answer.json()['stack']
        action, _, end = (stack.get('prior_stack_status')
                          or stack['stack_status']).partition('_')
        return _ENDS[end] if action == 'DELETE' else NOTHING

    @property
    def _id(self):
        return self.path.rpartition('/')[2]

    def _statuses(self):
        """List the statuses of the events of the root stack, except locks."""
        answer = self.owner.get(f'{self.path}/events?sort_dir=asc')
        if answer.status_code == 404:
            return []
        return [event['resource_status'] for event in answer.json()['events']
                if event['physical_resource_id'] == self._id
                and event['resource_status'].split('_')[0] not in _OWN]


class Nameless(Scenario):
    """A stack in a shared project, whose consumer chooses its name."""

    def create(self):
        if self.operation != CREATE:
            self.environment.thaw()
        super().create()

    def _find_by_prefix(self, prefix):
        """Return the path of the stack whose name has a prefix, or None."""
        return next((
            f'/stacks/{stack["stack_name"]}/{stack["id"]}'
            for stack in self.owner.get('/stacks').json()['stacks']
            if stack['stack_name'].startswith(prefix)), None)
