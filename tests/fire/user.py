# SPDX-License-Identifier: Apache-2.0

"""Who uses one stack after the other while the cloud is on fire.

What it was promised is noted, and what it saw: between the 200 to a lock and
the moment at which unlock is sent nothing may change, and nothing that is
asked for may be accepted. An answer that did not come, or that is an error of
the server, promises nothing.
"""

import collections
import json
import time

import pymysql
import requests
import sqlalchemy

from tests.rigs import waiting
from tests.storm import picture
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
_ATTEMPTS = ('update', 'delete', 'check', 'suspend')
_TRIES = 30
# For each operation, which takes longer.
_LOCKS = 3
_PAUSE = 0.5
_OPERATION_SECONDS = 20
# PyMySQL's own come where SQLAlchemy prepares a connection.
_AWAY = (sqlalchemy.exc.SQLAlchemyError, pymysql.err.MySQLError)


class User:
    """One of them.

    :param locks: whether it locks; else it only does what bare Heat can do.
    :ivar paths: of all its stacks, the last one in use.
    :ivar violations: sentences.
    :ivar figures: a counter.
    """

    def __init__(self, client, database, name, chance, locks=True):
        self._client = client
        self._database = database
        self._name = name
        self._chance = chance
        self._locks = locks
        self.paths = []
        self.violations = []
        self.figures = collections.Counter()

    def run(self, seconds):
        """Go on for some time."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if not self.paths and not self._create():
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
            self.figures['no answer'] += 1
            return 0, str(error)
        kind = ('error' if answer.status_code >= 500 else 'refused'
                if answer.status_code == 409 else 'operations')
        self.figures[kind] += 1
        return answer.status_code, answer.text

    def _act(self, name, fields=None):
        return self.ask('POST', self._path() + '/actions', {name: fields})

    def _send(self, name):
        if name == 'update':
            return self.ask('PUT', self._path(), {
                'template': TEMPLATE, 'files': templates.FILES,
                'parameters': {'value': str(self._chance.random())}})
        if name == 'delete':
            return self.ask('DELETE', self._path())
        return self._act(name)

    def _create(self):
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
        except _AWAY:
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
        status, _ = self._send(self._chance.choice(('update', 'check')))
        if status in (200, 202) and not self._wait():
            # Whether for ever is seen in the end.
            self.figures['left IN_PROGRESS'] += 1
            self._create()

    def _lock_and_look(self):
        # A lock that got no answer may be set yet, and much later.
        row = self._row('id = :value', self._stack_id())
        if row is None:
            time.sleep(_PAUSE)
            return
        if row['lock_id'] is not None:
            self._unlock(row['lock_id'])
        status, text = self._act('lock', {'level': 'stacks', 'id': None})
        if status == 200:
            self._calm()
            self._unlock(json.loads(text)['lock']['id'])

    def _calm(self):
        before = self._picture()
        if before is None:
            return
        self.figures['calms'] += 1
        for name in self._chance.sample(_ATTEMPTS, 2):
            status, text = self._send(name)
            if 200 <= status < 300:
                self.violations.append(
                    f'{self._path()} was locked, and {name} was answered '
                    f'{status}: {text}')
        after = self._picture()
        if after is not None:
            self.violations += [f'{self._path()} was locked, and {each}'
                                for each in picture.changes(before, after)]

    def _picture(self):
        try:
            return self._database.picture(self._stack_id())
        except _AWAY:
            return None

    def _unlock(self, lock_id):
        # With the id, for one that got no answer may come much later.
        for _ in range(_TRIES):
            status, text = self._act('unlock', {'id': lock_id})
            if status in (200, 404, 409):
                return
            time.sleep(_PAUSE)
        self.violations.append(f'{self._path()} can not be unlocked: {text}')
