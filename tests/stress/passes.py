# SPDX-License-Identifier: Apache-2.0

"""A stress run on a locked stack that one user may update with a lock pass.

In each round, a user gets a lock pass and sends two updates at about the same
time. One of them is accepted, and sometimes canceled. Meanwhile, other users
send all other operations. These must be rejected before the update starts,
during the update, and until the lock is in effect again.
"""

import collections
import concurrent.futures
import datetime
import random
import time

import requests

from tests.harness import waiting
from tests.stress import operations
from tests.stress import templates

TREE = {
    **templates.TREE,
    'parameters': {**templates.TREE['parameters'],
                   'size': {'type': 'number', 'default': 1}},
    'resources': {
        **templates.TREE['resources'],
        'many': {'type': 'OS::Heat::ResourceGroup', 'properties': {
            'count': {'get_param': 'size'},
            'resource_def': {'type': 'member.yaml', 'properties': {
                'value': {'get_param': 'value'}}}}}},
}
OTHERS = (
    operations.UPDATE, operations.PATCH, operations.DELETE,
    operations.ABANDON, operations.SUSPEND, operations.RESUME,
    operations.CHECK, operations.SNAPSHOT, operations.MARK_UNHEALTHY,
    operations.SCALE_UP, operations.SCALE_DOWN, operations.NESTED_PATCH,
    operations.NESTED_CHECK, operations.NESTED_DELETE)

# Changes by the update itself, of the stack and its resources.
_OF_UPDATES = {'LOCK', 'SIGNAL', 'UPDATE', 'ROLLBACK', 'CREATE', 'DELETE'}
_OF_ROOT = _OF_UPDATES - {'CREATE', 'DELETE'}
_CLIENTS = 4
_END_SECONDS = 90
_BEGIN_SECONDS = 10


class LockPassRun:
    """Race a number of operations on one locked stack.

    :param target: a :class:`operations.Target`, locked by its client
    :param holder: a client of the pass user
    :ivar rounds: the number of rounds by their result
    :ivar answers: the number of responses to other users by status
    :ivar violations: sentences
    """

    def __init__(self, target, holder):
        self.target = target
        self.holder = holder
        self.rounds = collections.Counter()
        self.answers = collections.Counter()
        self.violations = []
        self._is_over = True

    def run(self, seconds):
        deadline = time.monotonic() + seconds
        with concurrent.futures.ThreadPoolExecutor(_CLIENTS + 3) as pool:
            while time.monotonic() < deadline and not self.violations:
                self._round(pool)

    def _round(self, pool):
        self._is_over = False
        number = self.target.database.last_event()
        others = [pool.submit(self._disturb) for _ in range(_CLIENTS)]
        try:
            self._pass(pool, number)
        finally:
            self._is_over = True
        for other in others:
            other.result()
        for event in self.target.database.events(self.target.stack_id,
                                                 number):
            allowed = (_OF_ROOT if event['physical_resource_id']
                       == self.target.stack_id else _OF_UPDATES)
            if event['resource_action'] not in allowed:
                self._note('event {resource_name} {resource_action}_'
                           '{resource_status}'.format(**event))

    def _pass(self, pool, number):
        until = datetime.datetime.now(datetime.timezone.utc)
        until += datetime.timedelta(hours=1)
        answer = self._act(self.target.client, {'lock_pass': {
            'user': {'id': 'bob'}, 'expires_at': until.isoformat()}})
        if answer.status_code != 200:
            self._note(f'a pass was answered {answer.status_code}: '
                       f'{answer.text[:600]}')
            return
        values = [f'value-{random.randrange(10**9)}' for _ in range(2)]
        sent = [pool.submit(self._update, value) for value in values]
        is_cancelled = random.random() < 0.2
        if is_cancelled:
            waiting.last(lambda: self._is_at_work(number), bool,
                         _BEGIN_SECONDS)
            time.sleep(random.uniform(0, 0.5))
            self._act(self.holder, {random.choice((
                'cancel_update', 'cancel_without_rollback')): None})
        statuses = [each.result().status_code for each in sent]
        if sorted(statuses) != [202, 409]:
            self._note(f'two updates with one pass were answered {statuses}')
            return
        if waiting.last(self._levels, lambda levels: levels == {
                ('stacks', None)}, _END_SECONDS) != {('stacks', None)}:
            self._note(f'the lock does not hold again: {self._levels()}')
            return
        self._judge(values[statuses.index(202)], is_cancelled)

    def _is_at_work(self, number):
        # An update by another user deletes the credentials of the stack when
        # it stores itself, and if it has been cancelled just before, Heat
        # stores no others: then signals are answered 500.
        return any(event['physical_resource_id'] != self.target.stack_id
                   for event in self.target.database.events(
                       self.target.stack_id, number)
                   if event['resource_action'] in ('CREATE', 'UPDATE'))

    def _judge(self, value, is_cancelled):
        stack = self.target.client.show_stack(self.target.path)
        self.rounds[stack['stack_status']] += 1
        if 'is locked' in stack['stack_status_reason']:
            # The update itself was rejected by the lock.
            self._note(stack['stack_status_reason'])
        if is_cancelled:
            return
        if (stack['stack_status'] != 'UPDATE_COMPLETE'
                or stack['parameters']['value'] != value):
            self._note(f'wanted {value}, found {stack["stack_status"]} '
                       f'({stack["stack_status_reason"]}), '
                       f'{stack["parameters"]}')

    def _levels(self):
        return self.target.database.levels(self.target.stack_id)

    def _update(self, value):
        time.sleep(random.uniform(0, 0.2))
        return self.holder.put(self.target.path, {
            'template': TREE, 'files': templates.FILES,
            'disable_rollback': random.random() < 0.5,
            'parameters': {'value': value, 'size': random.randint(0, 3)}})

    def _disturb(self):
        while not self._is_over:
            operation = random.choice(OTHERS)
            try:
                answer = operation.send(self.target)
            except requests.RequestException as error:
                self._note(f'{operation.name} got no answer: {error!r}')
                return
            if answer is not None:
                self.answers[answer.status_code] += 1
                self._judge_other(operation, answer)
            time.sleep(random.uniform(0, 0.1))

    def _judge_other(self, operation, answer):
        # Resources that the update has removed are not found.
        is_gone = answer.status_code == 404 and 'nested' in operation.name
        # A signal reads the credentials of the stack that bare Heat replaces
        # for an update by another user (heat.engine.stack.Stack.store).
        is_between = (operation.name.startswith('scale')
                      and answer.status_code == 400
                      and '"AttributeError"' in answer.text)
        is_right = answer.status_code in operation.locked and (
            answer.status_code != 409 or 'StackLocked' in answer.text)
        if is_gone or is_between or is_right:
            return
        self._note(f'{operation.name} was answered {answer.status_code}: '
                   f'{answer.text[:600]}')

    def _act(self, client, body):
        return client.post(self.target.path + '/actions', body)

    def _note(self, text):
        now = datetime.datetime.now().strftime('%H:%M:%S.%f')
        self.violations.append(f'{now} {text}')
