# SPDX-License-Identifier: Apache-2.0

"""A stress run of deletions against a delete protection.

Each round has a separate stack, mostly with an update in progress. Almost at
the same time, clients delete and abandon the stack and its nested stacks, and
one client protects it. Either succeeds: if the response to protect is 200, no
deletion of the root stack was accepted before or after, and the update
finishes without a change.
"""

import collections
import concurrent.futures
import json
import random
import time

from tests.harness import waiting

_MEMBER = {
    'heat_template_version': '2018-08-31',
    'parameters': {'value': {'type': 'string'}},
    'resources': {'test': {
        'type': 'OS::Heat::TestResource',
        'properties': {'value': {'get_param': 'value'},
                       'action_wait_secs': {'update': 1}}}},
}
TREE = {
    'heat_template_version': '2018-08-31',
    'parameters': {'value': {'type': 'string', 'default': 'one'}},
    'resources': {'in': {'type': 'member.yaml', 'properties': {
        'value': {'get_param': 'value'}}}},
}
FILES = {'member.yaml': json.dumps(_MEMBER)}

_MOMENT = 0.15
_CLIENTS = 4
_END_SECONDS = 90


class DeleteProtectionRun:
    """Race deletions on one stack after another.

    :param client: of the functional tests
    :ivar rounds: the number of rounds by their result
    :ivar violations: sentences
    """

    def __init__(self, client):
        self.client = client
        self.rounds = collections.Counter()
        self.violations = []

    def run(self, seconds):
        deadline = time.monotonic() + seconds
        with concurrent.futures.ThreadPoolExecutor(_CLIENTS + 1) as pool:
            while time.monotonic() < deadline:
                _Round(self, pool).run()


class _Round:

    def __init__(self, run, pool):
        self._run, self._pool = run, pool
        self._client = run.client
        self._path = self._client.create_stack(
            f'kept-{time.monotonic_ns()}', TREE, files=FILES)
        self._nested = self._nested_path()
        self._has_update = random.random() < 0.7
        # Otherwise, the first of several deletions nearly always wins.
        self._head_start = random.choice((0, _MOMENT))

    def run(self):
        if self._has_update:
            self._update()
        sent = [self._pool.submit(self._delete, path) for path in
                random.choices((self._path, self._path + '/abandon',
                                self._nested), k=_CLIENTS)]
        answer = self._later(lambda: self._act('protect'))
        is_kept = answer.status_code == 200
        answers = [each.result() for each in sent]
        if is_kept:
            answers += [self._delete(path) for path in (
                self._path, self._nested, self._path + '/abandon')]
            self._judge(answers)
        elif answer.status_code not in (404, 409):
            self._note(f'protect was answered {answer.text}')
        self._run.rounds['kept' if is_kept else 'deleted'] += 1
        self._end(is_kept)

    def _nested_path(self):
        body = self._client.get(self._path + '/resources/in').json()
        stack_id = body['resource']['physical_resource_id']
        stack = self._client.get(f'/stacks/{stack_id}').json()['stack']
        return f'/stacks/{stack["stack_name"]}/{stack_id}'

    def _act(self, name):
        return self._client.post(self._path + '/actions', {name: None})

    def _update(self):
        self._client.patch(self._path, {'parameters': {'value': 'two'}})

    def _later(self, send):
        time.sleep(random.choice((0, 1)) * random.uniform(0, _MOMENT))
        return send()

    def _delete(self, path):
        time.sleep(self._head_start)
        answer = self._later(lambda: self._client.delete(path))
        # 400 is Heat's own of a stack that is gone since it was loaded
        # (heat.engine.stack.Stack._check_refresh_cred).
        if answer.status_code not in (200, 204, 400, 404, 409):
            self._note(f'deletion of {path} was answered '
                       f'{answer.status_code}: {answer.text}')
        return path, answer.status_code

    def _judge(self, answers):
        accepted = {path for path, status in answers if status < 300}
        if accepted - {self._nested}:
            self._note(f'protected, and accepted: {accepted}')
        if any(status == 400 for path, status in answers
               if path != self._nested):
            self._note(f'protected, and gone: {answers}')
        if any(status < 300 for _, status in answers[_CLIENTS:]):
            self._note(f'accepted after protect: {answers[_CLIENTS:]}')
        if self._has_update and not accepted:
            status = self._rest()
            if status != 'UPDATE_COMPLETE':
                self._note(f'the update ended as {status}')
            self._run.rounds['update went on'] += 1

    def _rest(self):
        return waiting.last(
            self._status, lambda value: not value.endswith('IN_PROGRESS'),
            _END_SECONDS)

    def _status(self):
        answer = self._client.get(self._path)
        return (answer.json()['stack']['stack_status']
                if answer.status_code == 200 else 'DELETE_COMPLETE')

    def _end(self, is_kept):
        """Check that the protected stack exists, and can be deleted later."""
        if is_kept:
            if self._status().startswith('DELETE'):
                self._note('protected, and deleted')
            self._act('unprotect')
        self._client.delete(self._path)

    def _note(self, text):
        self._run.violations.append(f'{self._path}: {text}')
