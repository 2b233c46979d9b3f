# SPDX-License-Identifier: Apache-2.0

"""Who uses one stack after the other while the cloud is on fire.

It locks while an operation of another client is under way, looks, asks for
what must be refused, unlocks and works.
"""

import collections
from concurrent import futures
import json
import random
import threading
import time

import requests
import sqlalchemy

from tests.fire import calm
from tests.rigs import waiting
from tests.storm import templates

TEMPLATE = {
    'heat_template_version': '2018-08-31',
    'parameters': {'value': {'type': 'string', 'default': 'one'}},
    'resources': {
        'test': {'type': 'OS::Heat::TestResource', 'properties': {
            'value': {'get_param': 'value'}}},
        'inner': {'type': 'member.yaml', 'properties': {
            'value': {'get_param': 'value'}}}},
}
_WORK = ('update', 'check')
_ATTEMPTS = ('update', 'delete', 'check', 'suspend')
_TRIES = 30
# For each operation that is let alone, which takes longer.
_LOCKS = 3
# An operation needs some time between its look and its first write, and the
# lock comes in between most often when it is sent a little later.
_LOCK_DELAY = 0.2
# Longer than an engine hangs that was about to write.
_LONGEST_CALM = 10
_PAUSE = 0.5
_OPERATION_SECONDS = 20
# What got no answer has begun by then, or never will: a call is given up after
# 20 seconds, and an engine that hangs goes on.
_LOOSE_SECONDS = 40


class User:
    """One of them.

    :param seed: of what it does.
    :param locks: whether it locks; else it only does what bare Heat can do.
    :ivar paths: of all its stacks, the last one in use.
    :ivar at_rest: those of which a lock has said that nothing is under way,
        and nothing was asked for since.
    :ivar calms: the spans of time in which it has looked.
    :ivar violations: sentences.
    :ivar figures: a counter.
    """

    def __init__(self, client, database, seed, locks=True):
        self._client = client
        self._database = database
        self._name = f'user{seed}'
        self._chance = random.Random(seed)
        self._locks = locks
        self._counting = threading.Lock()
        self._loose_until = 0
        self.paths = []
        self.at_rest = set()
        self.calms = []
        self.violations = []
        self.figures = collections.Counter()

    def run(self, seconds):
        """Go on for some time."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if not self.paths and not self.create():
                continue
            for _ in range(_LOCKS if self._locks else 0):
                self._lock_and_look()
            self._operate()

    def _path(self):
        return self.paths[-1]

    def ask(self, method, path, body=None):
        """Return a status, 0 for an answer that did not come, and a text."""
        try:
            answer = self._client.request(method, path, json=body)
        except requests.RequestException as error:
            self._count('no answer')
            return 0, str(error)
        self._count(_KINDS.get(answer.status_code // 100, 'strange'))
        return answer.status_code, answer.text

    def _count(self, kind):
        with self._counting:
            self.figures[kind] += 1

    def _act(self, name, fields=None):
        return self.ask('POST', self._path() + '/actions', {name: fields})

    def send(self, name):
        answer = self._sent(name)
        if not 0 < answer[0] < 500:
            self._loose_until = time.monotonic() + _LOOSE_SECONDS
        return answer

    def _sent(self, name):
        if name == 'update':
            return self.ask('PUT', self._path(), {
                'template': TEMPLATE, 'files': templates.FILES,
                'parameters': {'value': str(self._chance.random())}})
        if name == 'delete':
            return self.ask('DELETE', self._path())
        return self._act(name)

    def create(self):
        """Take a new stack; returns whether there is one."""
        name = f'{self._name}-{len(self.paths)}-{self._chance.random()}'
        name = name.replace('.', '')
        status, _ = self.ask('POST', '/stacks', {
            'stack_name': name, 'template': TEMPLATE,
            'files': templates.FILES})
        if status != 201:
            time.sleep(_PAUSE)
            return False
        found = waiting.last(lambda: self._row(
            'name = :value AND owner_id IS NULL', name), bool, 60)
        if found is None:
            return False
        self.paths.append(f'/stacks/{name}/{found["id"]}')
        self._wait()
        return True

    def _row(self, where, value):
        try:
            with self._database.reader() as connection:
                return connection.execute(sqlalchemy.text(
                    f'SELECT * FROM stack WHERE {where}'),
                    {'value': value}).mappings().first()
        except calm.AWAY:
            # It is restarted just now.
            return None

    def _stack_id(self):
        return self._path().rpartition('/')[2]

    def _wait(self):
        row = waiting.last(
            lambda: self._row('id = :value', self._stack_id()),
            lambda row: row and row['status'] != 'IN_PROGRESS',
            _OPERATION_SECONDS)
        return bool(row) and row['status'] != 'IN_PROGRESS'

    def _operate(self):
        self.at_rest.discard(self._path())
        status, _ = self.send(self._chance.choice(_WORK))
        if status in (200, 202):
            self._rest()

    def _rest(self):
        if not self._wait():
            # Whether for ever is seen in the end.
            self._count('left IN_PROGRESS')
            self.create()

    def _lock_and_look(self):
        # A lock that got no answer may be set yet, and much later.
        row = self._row('id = :value', self._stack_id())
        if row is None:
            time.sleep(_PAUSE)
            return
        if row['lock_level'] is not None:
            self._unlock(row['lock_id'])
        with futures.ThreadPoolExecutor(1) as pool:
            rivals = [pool.submit(self.send, self._chance.choice(_WORK))
                      for _ in range(self._chance.choice((0, 1)))]
            self.at_rest.discard(self._path())
            self._lock(rivals)
        if rivals:
            self._rest()

    def _lock(self, rivals):
        time.sleep(self._chance.uniform(0, _LOCK_DELAY) * len(rivals))
        status, text = self._act('lock', {'level': 'stacks', 'id': None})
        if status == 200:
            lock_id = json.loads(text)['lock']['id']
            self._calm(lock_id)
            is_all = all(each.done() for each in rivals)
            self._unlock(lock_id)
            if is_all and time.monotonic() > self._loose_until:
                self.at_rest.add(self._path())

    def _calm(self, lock_id):
        seen = calm.Calm(self._database, self._path(), lock_id)
        for name in self._chance.sample(_ATTEMPTS, 2):
            status, text = self.send(name)
            seen.judge(name, status, text)
            time.sleep(self._chance.choice((0, 0, self._chance.uniform(
                0, _LONGEST_CALM))))
            seen.look()
        self.violations += seen.violations
        if seen.span:
            self._count('calms')
            self.calms.append(seen.span)

    def _unlock(self, lock_id):
        # With the id, for one that got no answer may come much later.
        for _ in range(_TRIES):
            status, text = self._act('unlock', {'id': lock_id})
            if status in (200, 404, 409):
                return
            time.sleep(_PAUSE)
        self.violations.append(f'{self._path()} can not be unlocked: {text}')


# By the first figure of a status; "refused" is 4.
_KINDS = {2: 'accepted', 4: 'refused', 5: 'error'}
