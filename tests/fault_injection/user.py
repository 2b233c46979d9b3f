# SPDX-License-Identifier: Apache-2.0

"""A user of one stack after another while faults are injected.

Other files contain the cycles: locks, locks with an expiration time, locks
while an engine is stopped, lock passes, and delete protection.
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
from tests.fault_injection import stopped_engine_cycle
from tests.harness import waiting
from tests.stress import templates

TEMPLATE = {
    'heat_template_version': '2018-08-31',
    'parameters': {'value': {'type': 'string', 'default': 'one'},
                   'fail': {'type': 'boolean', 'default': False},
                   'fails_after': {'type': 'number', 'default': 0},
                   'seconds': {'type': 'number', 'default': 0}},
    'resources': {
        'test': {'type': 'OS::Heat::TestResource', 'properties': {
            'value': {'get_param': 'value'},
            'wait_secs': {'get_param': 'seconds'}}},
        'fails': {'type': 'OS::Heat::TestResource', 'properties': {
            'value': {'get_param': 'value'}, 'fail': {'get_param': 'fail'},
            'wait_secs': {'get_param': 'fails_after'}}},
        'inner': {'type': 'member.yaml', 'properties': {
            'value': {'get_param': 'value'}}}},
}
_WORK = ('update', 'check')
_PAUSE = 0.5
# The database can be unavailable for this time on a busy machine.
_INSIST_SECONDS = 240
_OPERATION_SECONDS = 20
# A request without a response has started after this time, or never starts: a
# call times out after 20 seconds, and an engine that hangs continues.
_LOOSE_SECONDS = 40


def change(value, **parameters):
    """Make the body of an update."""
    return {'template': TEMPLATE, 'files': templates.FILES,
            'parameters': {'value': str(value), **parameters}}


class User:
    """A user.

    :param client: the client of the user who locks.
    :param seed: the seed of the operations.
    :param holder: the client of the pass user.
    :param locks: whether to use locks; otherwise only Heat operations.
    :param faults: the :class:`faults.Faults`, which can stop engines.
    :ivar paths: the paths of all stacks; the last one is in use.
    :ivar at_rest: stacks that were idle when they were locked, and for which
        no operation was requested later.
    :ivar deleted: stacks whose deletion was accepted, or may still start.
    :ivar ending: stacks that were not unlocked soon after the expiration.
    :ivar passing: stacks whose lock was not in effect again soon after a lock
        pass was used.
    :ivar calms: the checked time spans of hold periods.
    :ivar violations: sentences.
    :ivar figures: a counter.
    :ivar accepted: a counter of (action, ID of a stack), of operations with
        pre calls of plugins before the response.
    """

    # Run more of these: the fence is for updates that race a lock.
    ACTS = (lock_cycle.run_cycle, lock_cycle.run_cycle, lock_cycle.run_cycle,
            protection_cycle.run_cycle, lock_pass_cycle.run_cycle,
            lock_pass_cycle.run_cycle, lock_expiry_cycle.run_cycle,
            stopped_engine_cycle.run_cycle)

    def __init__(self, client, database, seed, holder=None, locks=True,
                 faults=None):
        self.client = client
        self.holder = holder or client
        self.database = database
        self._name = f'user{seed}'
        self.chance = random.Random(seed)
        self._locks = locks
        self.faults = faults
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
        """Continue until a function returns True."""
        while not is_over():
            if self._needs_another() and not self.create():
                continue
            # Between these, an operation runs undisturbed, which takes longer.
            for act in self.chance.sample(self.ACTS, 3) * self._locks:
                if self._is_free():
                    act(self)
            if not self._needs_another():
                self._operate()

    def _needs_another(self):
        return not self.paths or self.path() in (
            self.deleted | self.ending | self.passing)

    def _is_free(self):
        """Remove a lock without a response, which may be set much later."""
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
        """Return the path of the stack in use."""
        return self.paths[-1]

    def stack_id(self):
        return self.path().rpartition('/')[2]

    def ask(self, method, path, body=None, client=None):
        """Return the status, 0 without a response, and the text."""
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
        """Record a violation."""
        self.violations.append(f'{self.path()} {text}')

    def act(self, name, fields=None, client=None):
        """Send an action; without a response, it is loose for some time."""
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

    def start_failing_update(self, fails_after, seconds):
        """Start an update that fails while another branch is in progress.

        :returns: the status of the response.
        """
        return self._loosen('update', self.ask('PUT', self.path(), change(
            self.chance.random(), fail=True, fails_after=fails_after,
            seconds=seconds)))[0]

    def failed_branch_engine(self):
        """Return the ID of an engine that works on a failed stack, or None."""
        try:
            with self.database.reader() as connection:
                return connection.scalar(sqlalchemy.text(
                    'SELECT r.engine_id FROM resource r JOIN stack s '
                    "ON s.id = r.stack_id WHERE s.status = 'FAILED' "
                    "AND r.name = 'test' AND r.status = 'IN_PROGRESS' "
                    'AND r.engine_id IS NOT NULL AND s.id = :id'),
                    {'id': self.stack_id()})
        except hold_period.AWAY:
            return None

    def _nested_path(self):
        row = self._found('owner_id = :value AND deleted_at IS NULL AND NOT '
                          'backup', self.stack_id())
        # While the database is unavailable, the response is always an error.
        return row and f'/stacks/{row["name"]}/{row["id"]}' or self.path()

    def _loosen(self, name, answer):
        if answer[0] == _ACCEPTED.get(name):
            with self._counting:
                self.accepted[name.upper(), self.stack_id()] += 1
        if not 0 < answer[0] < 500:
            self._loose[name, self.path()] = time.monotonic() + _LOOSE_SECONDS
        return answer

    def is_loose(self, *names):
        """Return whether an action without a response may still start."""
        return any(self._loose[name, self.path()] > time.monotonic()
                   for name in names)

    def create(self):
        """Create a new stack; returns whether it succeeded."""
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
        """Return the row of the stack, or None without a database."""
        return self._found('id = :value', self.stack_id())

    def _found(self, where, value):
        try:
            with self.database.reader() as connection:
                return connection.execute(sqlalchemy.text(
                    f'SELECT * FROM stack WHERE {where}'),
                    {'value': value}).mappings().first()
        except hold_period.AWAY:
            # The database is being restarted.
            return None

    def _wait(self):
        row = waiting.last(
            self.row, lambda row: row and row['status'] != 'IN_PROGRESS',
            _OPERATION_SECONDS)
        return bool(row) and row['status'] != 'IN_PROGRESS'

    def work(self):
        """Send an operation that takes some time; returns its response."""
        return self.send(self.chance.choice(_WORK))

    def _operate(self):
        self.at_rest.discard(self.path())
        status, _ = self.work()
        if status in (200, 202):
            self.rest()

    def rest(self):
        """Wait for the end of an operation, or create another stack."""
        if not self._wait():
            # Whether it ends at all is checked at the end.
            self.count('left IN_PROGRESS')
            self.create()

    def unlock(self, lock_id):
        """Remove a lock, and retry until it is removed."""
        # Send the ID, because a lock without a response may be set much later.
        # All responses except the last can be lost: 409 means that the lock
        # was removed.
        if self.insist('unlock', {'id': lock_id}) in (200, 409):
            self.violations += hold_period.lifted(self.database, self.path(),
                                                  lock_id)

    def insist(self, name, fields=None):
        """Retry an action until it has a response; returns the status."""
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
# Pre calls of an update come after the response, if its engine is running.
_ACCEPTED = {'lock': 200, 'unlock': 200}
# A plugin that cannot read its stack rejects the action.
_PLUGIN_FAILED = ' failed before '
# By the first digit of a status; "refused" is 4.
_KINDS = {2: 'accepted', 4: 'refused', 5: 'error'}
