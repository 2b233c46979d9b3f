# SPDX-License-Identifier: Apache-2.0

"""Protect a stack from deletion, check the protection, and remove it.

From the response 200 until the protection is removed, the stack exists. If a
deletion and the protection are requested at the same time, at most one of them
is accepted.
"""

from concurrent import futures
import time

from tests.fault_injection import hold_period
from tests.harness import waiting

_ATTEMPTS = ('delete', 'delete nested', 'abandon', 'update')
_DELAY = 0.2
_LONGEST = 10
# The share of protections that are set during a deletion.
RACED = 0.2
_BACK_SECONDS = 60


def run_cycle(user):
    """Run the cycle once."""
    if user.is_loose('unprotect'):
        # An earlier request without a response may still remove it.
        return
    is_raced = user.chance.random() < RACED
    with futures.ThreadPoolExecutor(1) as pool:
        requests = [pool.submit(user.send, 'delete')
                    for _ in range(is_raced)]
        time.sleep(user.chance.uniform(0, _DELAY) * is_raced)
        user.at_rest.discard(user.path())
        status, _ = user.act('protect')
    statuses = [each.result()[0] for each in requests]
    if status != 200:
        return
    seen = ProtectionCycle(user.database, user.path())
    for other in statuses:
        seen.judge('a deletion beside protect', other)
    _attempt(user, seen)
    user.violations += seen.violations
    user.count('protected')
    # An earlier request may still set it after it is removed.
    user.insist('unprotect')


def _attempt(user, seen):
    for name in user.chance.sample(_ATTEMPTS, 2):
        status, _ = user.send(name)
        if name != 'update':
            seen.judge(name, status)
        time.sleep(user.chance.choice((0, user.chance.uniform(0, _LONGEST))))
        seen.look()


class ProtectionCycle:
    """Check a stack while it is protected.

    :ivar violations: sentences.
    """

    def __init__(self, database, path):
        self._database = database
        self._path = path
        self.violations = []
        self._before = self._seen()
        if self._before and self._before[0] is None:
            self._note('it is not')

    def judge(self, name, status):
        """Check the response to a deletion."""
        if 0 < status < 500 and status != 409:
            self._note(f'{name} was answered {status}')

    def look(self):
        """Compare the stack with its first state."""
        after = self._seen()
        if after and self._before and after != self._before:
            self._note(f'{self._before} became {after}')

    def _seen(self):
        # Changes while the database is unavailable are found later.
        return waiting.last(
            lambda: hold_period.unless_away(lambda: self._database.kept(
                self._path.rpartition('/')[2])), bool, _BACK_SECONDS)

    def _note(self, text):
        self.violations.append(f'{self._path} was protected, and {text}')
