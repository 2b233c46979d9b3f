# SPDX-License-Identifier: Apache-2.0

"""Who uses one stack after the other while faults are injected.

What it does besides work stands in files of their own: it locks, locks until
an end, lets one update through, and protects from deletion.
"""

import collections
import random
import threading
import time

import requests
import sqlalchemy

from tests.fault_injection import hold_period
from tests.fault_injection import lock_cycle
from tests.fault_injection import lock_expiry_cycle
from tests.fault_injection import lock_pass_cycle
from tests.fault_injection import protection_cycle
from tests.harness import waiting
from tests.stress import templates

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
_PAUSE = 0.5
# The database can be away for that long, on a machine with other work.
_INSIST_SECONDS = 90
_OPERATION_SECONDS = 20
# What got no answer has begun by then, or never will: a call is given up after
# 20 seconds, and an engine that hangs goes on.
_LOOSE_SECONDS = 40


def change(value):
    """Make the body of an update."""
    return {'template': TEMPLATE, 'files': templates.FILES,
            'parameters': {'value': str(value)}}


class User:
    """One of them.

    :param client: of who locks.
    :param seed: of what it does.
    :param holder: a client of who gets the passes.
    :param locks: whether it locks; else it only does what bare Heat can do.
    :ivar paths: of all its stacks, the last one in use.
    :ivar at_rest: those of which a lock has said that nothing is under way,
        and nothing was asked for since.
    :ivar deleted: those whose deletion was accepted, or may come yet.
    :ivar ending: those whose lock was not lifted soon after its end.
    :ivar passing: those whose lock did not hold soon after its pass was used.
    :ivar calms: the spans of time in which it has looked.
    :ivar violations: sentences.
    :ivar figures: a counter.
    :ivar accepted: a counter of (action, id of a stack), of what plugins are
        asked of before it is answered.
    """

    # An update that races a lock is what a fence is for: more of these.
    ACTS = (lock_cycle.run_cycle, lock_cycle.run_cycle, lock_cycle.run_cycle,
            protection_cycle.run_cycle, lock_pass_cycle.run_cycle,
            lock_pass_cycle.run_cycle, lock_expiry_cycle.run_cycle)

    def __init__(self, client, database, seed, holder=None, locks=True):
        self.client = client
        self.holder = holder or client
        self.database = database
        self._name = f'user{seed}'
        self.chance = random.Random(seed)
        self._locks = locks
        self._counting = threading.Lock()
        self._loose = collections.Counter()
        self.paths = []
        self.at_rest = set()
        self.deleted = set()
        self.ending = set()
        self.passing = set()
        self.calms = []
        self.violations = []
        self.figures = collections.Counter()
        self.accepted = collections.Counter()

    def run(self, is_over):
        """Go on until a function says that it is over."""
        while not is_over():
            if self._needs_another() and not self.create():
                continue
            # For each operation that is let alone, which takes longer.
            for act in self.chance.sample(self.ACTS, 3) * self._locks:
                if self._is_free():
                    act(self)
            if not self._needs_another():
                self._operate()

    def _needs_another(self):
        return not self.paths or self.path() in (
            self.deleted | self.ending | self.passing)

    def _is_free(self):
        """Lift a lock that got no answer: it may be set yet, much later."""
        if self._needs_another():
            return False
        row = self.row()
        if row is None:
            time.sleep(_PAUSE)
            return False
        if row['lock_level'] or row['lock_passing']:
            self.unlock(row['lock_id'])
        return True

    def path(self):
        """Return that of the stack in use."""
        return self.paths[-1]

    def stack_id(self):
        return self.path().rpartition('/')[2]

    def ask(self, method, path, body=None, client=None):
        """Return a status, 0 for an answer that did not come, and a text."""
        try:
            answer = (client or self.client).request(method, path, json=body)
        except requests.RequestException as error:
            self.count('no answer')
            return 0, str(error)
        self.count(_KINDS.get(answer.status_code // 100, 'strange'))
        return answer.status_code, answer.text

    def count(self, kind):
        with self._counting:
            self.figures[kind] += 1

    def note(self, text):
        """Note what must not be."""
        self.violations.append(f'{self.path()} {text}')

    def act(self, name, fields=None, client=None):
        """Send an action; one without an answer is loose for a while."""
        answer = self.ask('POST', self.path() + '/actions', {name: fields},
                          client)
        return self._loosen(name, answer)

    def send(self, name, client=None):
        """Send an operation by its name."""
        if name == 'update':
            answer = self.ask('PUT', self.path(), change(
                self.chance.random()), client)
        elif name in _DELETIONS:
            answer = self.ask('DELETE', _DELETIONS[name](self), client=client)
            if answer[0] not in range(400, 500):
                self.deleted.add(self.path())
        else:
            return self.act(name, client=client)
        return self._loosen(name, answer)

    def _nested_path(self):
        row = self._found('owner_id = :value AND deleted_at IS NULL AND NOT '
                          'backup', self.stack_id())
        # While the database is away the answer is an error in any case.
        return row and f'/stacks/{row["name"]}/{row["id"]}' or self.path()

    def _loosen(self, name, answer):
        if answer[0] == _ACCEPTED.get(name):
            with self._counting:
                self.accepted[name.upper(), self.stack_id()] += 1
        if not 0 < answer[0] < 500:
            self._loose[name, self.path()] = time.monotonic() + _LOOSE_SECONDS
        return answer

    def is_loose(self, *names):
        """Return whether what got no answer may come yet."""
        return any(self._loose[name, self.path()] > time.monotonic()
                   for name in names)

    def create(self):
        """Take a new stack; returns whether there is one."""
        name = f'{self._name}-{len(self.paths)}-{self.chance.random()}'
        name = name.replace('.', '')
        status, _ = self.ask('POST', '/stacks', {
            'stack_name': name, 'template': TEMPLATE,
            'files': templates.FILES})
        if status != 201:
            time.sleep(_PAUSE)
            return False
        rows = waiting.last(lambda: self._found(
            'name = :value AND owner_id IS NULL', name), bool, 60)
        if rows is None:
            return False
        self.paths.append(f'/stacks/{name}/{rows["id"]}')
        self._wait()
        return True

    def row(self):
        """Return the row of the stack; None while there is no database."""
        return self._found('id = :value', self.stack_id())

    def _found(self, where, value):
        try:
            with self.database.reader() as connection:
                return connection.execute(sqlalchemy.text(
                    f'SELECT * FROM stack WHERE {where}'),
                    {'value': value}).mappings().first()
        except hold_period.AWAY:
            # It is restarted just now.
            return None

    def _wait(self):
        row = waiting.last(
            self.row, lambda row: row and row['status'] != 'IN_PROGRESS',
            _OPERATION_SECONDS)
        return bool(row) and row['status'] != 'IN_PROGRESS'

    def work(self):
        """Send something that takes some time; returns its answer."""
        return self.send(self.chance.choice(_WORK))

    def _operate(self):
        self.at_rest.discard(self.path())
        status, _ = self.work()
        if status in (200, 202):
            self.rest()

    def rest(self):
        """Wait for the end of an operation, or take another stack."""
        if not self._wait():
            # Whether for ever is seen in the end.
            self.count('left IN_PROGRESS')
            self.create()

    def unlock(self, lock_id):
        """Lift a lock, however often it takes."""
        # With the id, for one that got no answer may come much later. Answers
        # to all but the last of them can be lost: 409 says that it is gone.
        if self.insist('unlock', {'id': lock_id}) in (200, 409):
            self.violations += hold_period.lifted(self.database, self.path(),
                                                  lock_id)

    def insist(self, name, fields=None):
        """Send an action until it is answered; returns with what."""
        deadline = time.monotonic() + _INSIST_SECONDS
        while time.monotonic() < deadline:
            status, text = self.act(name, fields)
            if status in (200, 404, 409) and _PLUGIN_FAILED not in text:
                return status
            time.sleep(_PAUSE)
        self.note(f'has no answer to {name}: {text}')
        return None


_DELETIONS = {'delete': User.path, 'delete nested': User._nested_path,
              'abandon': lambda user: user.path() + '/abandon'}
# Of an update plugins are asked after the answer, if its engine lives.
_ACCEPTED = {'lock': 200, 'unlock': 200}
# A plugin that cannot read its stack denies the action.
_PLUGIN_FAILED = ' failed before '
# By the first figure of a status; "refused" is 4.
_KINDS = {2: 'accepted', 4: 'refused', 5: 'error'}
