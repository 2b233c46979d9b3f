# SPDX-License-Identifier: Apache-2.0

"""A stress run on one stack: clients that race operations against a lock.

Each round starts with an idle stack. Then clients send operations and the
locker sends lock, almost at the same time. The hold period is the time from
the response 200 to lock until unlock is sent. In this period, nothing may
change, and all operations that are sent and answered must be rejected. More
operations race the unlock.
"""

import collections
import concurrent.futures
import dataclasses
import datetime
import random
import time

import requests

from tests.harness import waiting
from tests.stress import database_state

_SIGNALS_AND_LOCKS = ('SIGNAL', 'LOCK', 'UNLOCK')
# Level "stacks" is complete with the response. Level "all" continues, and an
# unlock during this time is rejected with a conflict.
STACKS, ALL = 'stacks', 'all'
# An operation needs some time to load the stack before it writes. The lock is
# set during this time most often if it is sent a little later.
_LOCK_DELAY = 0.2
_OPERATION_DELAY = 0.15
_HOLD_SECONDS = 0.4
_HOLD_CLIENTS = 4
_REST_SECONDS = 30


@dataclasses.dataclass(frozen=True)
class Answer:
    """A response to a client, and its time."""

    operation: object
    sent_at: float
    answered_at: float
    status: int
    text: str

    def is_refused(self):
        return self.status == 409 and 'StackLocked' in self.text

    def __str__(self):
        return '%s was answered %d: %s' % (
            self.operation.name, self.status, self.text[:600])


class StressRun:
    """Race a number of operations on one stack.

    :param target: a :class:`tests.stress.operations.Target`
    :param operations: the operations that clients send at random
    :param clients: how many clients race the lock, and again the unlock
    :param level: the level of the lock

    :ivar hold_periods: how many locks succeeded
    :ivar violations: sentences
    """

    def __init__(self, target, operations, clients, level=STACKS):
        self.target = target
        self._level = level
        self.violations = []
        self.hold_periods = 0
        self.rounds = 0
        self.answers = []
        self._operations = operations
        self._clients = clients
        self._is_over = False

    def run(self, seconds):
        """Run for some time, or until the stack is deleted or hangs."""
        deadline = time.monotonic() + seconds
        with concurrent.futures.ThreadPoolExecutor(
                2 * self._clients + _HOLD_CLIENTS) as pool:
            while time.monotonic() < deadline and not self._is_over:
                self._round(pool)
                self._settle(deadline)
        self._judge_statuses()

    def figures(self):
        """Return a summary in one line."""
        statuses = collections.Counter(
            answer.status for answer in self.answers)
        return '%d rounds, %d hold periods, answers: %s' % (
            self.rounds, self.hold_periods, ', '.join(
                '%d of %s' % (count, status)
                for status, count in sorted(statuses.items())))

    def _round(self, pool):
        self.rounds += 1
        racing = self._volley(pool, self._clients)
        time.sleep(random.choice((0, 1)) * random.uniform(0, _LOCK_DELAY))
        answer = self._act(
            {'lock': {'level': self._level, 'reason': 'stress'}})
        locked_at = time.monotonic()
        if answer.status_code == 200:
            self._look(pool, locked_at)
            racing += self._volley(pool, self._clients)
            time.sleep(random.uniform(0, _OPERATION_DELAY))
            self._judge_hold_period(locked_at, time.monotonic())
            self._unlock()
        elif answer.status_code == 404:
            self._is_over = True
        elif answer.status_code != 409:
            self._note('lock was answered %d: %s' % (
                answer.status_code, answer.text[:600]))
        concurrent.futures.wait(racing)

    def _settle(self, deadline):
        # Heat itself loses track when several operations race each other
        # (it logs an aborted store, and the loser's message is dropped):
        # such a stack stays IN_PROGRESS, and is not used further.
        self._is_over = self._is_over or waiting.last(
            lambda: self.target.database.is_busy(self.target.stack_id),
            lambda is_busy: not is_busy,
            min(deadline - time.monotonic(), _REST_SECONDS))

    def _note(self, text):
        now = datetime.datetime.now().strftime('%H:%M:%S.%f')
        self.violations.append(
            f'{now} hold period {self.hold_periods}: {text}')

    def _volley(self, pool, count):
        return [pool.submit(self._send, random.choice(self._operations))
                for _ in range(count)]

    def _send(self, operation):
        time.sleep(random.uniform(0, _OPERATION_DELAY))
        sent_at = time.monotonic()
        try:
            response = operation.send(self.target)
        except requests.RequestException as error:
            self._note(f'{operation.name} got no answer: {error!r}')
            return
        if response is not None:
            self.answers.append(Answer(
                operation, sent_at, time.monotonic(), response.status_code,
                response.text))

    def _act(self, body):
        return self.target.client.post(self.target.path + '/actions', body)

    def _look(self, pool, locked_at):
        database, stack_id = self.target.database, self.target.stack_id
        number = database.last_event()
        before = database.picture(stack_id)
        volley = self._volley(pool, _HOLD_CLIENTS)
        until = locked_at + random.uniform(0, 2 * _HOLD_SECONDS)
        violations = []
        while not violations and (time.monotonic() < until
                                  or not _all_done(volley)):
            time.sleep(0.1)
            violations = database_state.changes(before,
                                                database.picture(stack_id))
        violations += self._strange_events(number)
        for change in violations:
            self._note(change)
        self.hold_periods += 1

    def _strange_events(self, number):
        events = self.target.database.events(self.target.stack_id, number)
        return ['event {resource_name} {resource_action}_{resource_status}: '
                '{resource_status_reason}'.format(**event)
                for event in events
                if event['resource_action'] not in _SIGNALS_AND_LOCKS]

    def _judge_hold_period(self, locked_at, unlocked_at):
        for answer in list(self.answers):
            if (locked_at < answer.sent_at
                    and answer.answered_at < unlocked_at
                    and not _fits_a_locked_stack(answer)):
                self._note(str(answer))

    def _judge_statuses(self):
        for answer in self.answers:
            if answer.status not in answer.operation.answers | {409}:
                self._note(f'(at any time) {answer}')

    def _unlock(self):
        answer = waiting.last(
            lambda: self._act({'unlock': None}),
            lambda answer: answer.status_code != 409 or self._level != ALL,
            _REST_SECONDS)
        if answer.status_code != 200:
            self._note('unlock was answered %d: %s' % (
                answer.status_code, answer.text[:600]))


def _all_done(volley):
    return all(sending.done() for sending in volley)


def _fits_a_locked_stack(answer):
    if answer.status not in answer.operation.locked:
        return False
    return (answer.status != 409 or answer.is_refused()
            or 200 in answer.operation.locked)
