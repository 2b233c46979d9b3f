# SPDX-License-Identifier: Apache-2.0

"""Protect a stack from deletion, check the protection, and remove it.

From the 200 to the moment at which that is lifted the stack is there; of a
deletion at the same moment and the protection never both are accepted.
"""

from concurrent import futures
import time

from tests.fault_injection import hold_period
from tests.harness import waiting

_ATTEMPTS = ('delete', 'delete nested', 'abandon', 'update')
_DELAY = 0.2
_LONGEST = 10
# How many are set against a deletion.
RACED = 0.2
_BACK_SECONDS = 60


def run_cycle(user):
    """Do it once."""
    if user.is_loose('unprotect'):
        # It would be lifted by that, whenever it comes.
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
    # It may be loose, and come after it is lifted.
    user.insist('unprotect')


def _attempt(user, seen):
    for name in user.chance.sample(_ATTEMPTS, 2):
        status, _ = user.send(name)
        if name != 'update':
            seen.judge(name, status)
        time.sleep(user.chance.choice((0, user.chance.uniform(0, _LONGEST))))
        seen.look()


class ProtectionCycle:
    """Look at a stack while it is protected.

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
        """Judge what a deletion was answered."""
        if 0 < status < 500 and status != 409:
            self._note(f'{name} was answered {status}')

    def look(self):
        """Compare with what was there at first."""
        after = self._seen()
        if after and self._before and after != self._before:
            self._note(f'{self._before} became {after}')

    def _seen(self):
        # What changes while the database is away is seen afterwards.
        return waiting.last(
            lambda: hold_period.unless_away(lambda: self._database.kept(
                self._path.rpartition('/')[2])), bool, _BACK_SECONDS)

    def _note(self, text):
        self.violations.append(f'{self._path} was protected, and {text}')
