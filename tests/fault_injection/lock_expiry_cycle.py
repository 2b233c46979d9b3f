# SPDX-License-Identifier: Apache-2.0

"""Lock a stack with an expiration time, and check when it is unlocked.

The lock is in effect until then by the clock of the database, independent of
the clocks of the engines, and is removed soon after. If the engine is killed
during this unlock, it takes a minute. If the lock was extended successfully,
the new expiration time applies.
"""

import datetime
import time

from tests.fault_injection import hold_period
from tests.fault_injection import lock_cycle
from tests.harness import waiting

_LONGEST = 12
_SHORTEST = 2
# Two reports of an engine after another engine hung.
_SOON = 20


def run_cycle(user):
    """Run the cycle once."""
    user.at_rest.discard(user.path())
    end = now().replace(microsecond=0) + datetime.timedelta(
        seconds=user.chance.randint(_SHORTEST, _LONGEST))
    lock_id = lock_cycle.lock(user, expires_at=end.isoformat())
    if lock_id is None:
        return
    user.count('ends')
    seen = ExpiryCycle(user.database, user.path(), lock_id, end)
    if user.chance.choice((True, False)):
        _extend(user, seen)
    status, _ = user.send('update')
    seen.judge('update', status)
    if not waiting.last(seen.is_lifted, bool, 2 * _LONGEST + _SOON):
        # Whether it is unlocked at all is checked at the end.
        user.count('ends that came late')
        user.ending.add(user.path())
    user.violations += seen.violations
    if status == 202:
        user.rest()


def _extend(user, seen):
    time.sleep(user.chance.uniform(0, _SHORTEST))
    end = seen.end + datetime.timedelta(
        seconds=user.chance.randint(1, _LONGEST))
    status, _ = user.act('extend_lock', {
        'id': seen.lock_id, 'expires_at': end.isoformat()})
    # Without a response, either expiration time is possible.
    if status == 200:
        user.count('ends put off')
        seen.end = end


def now():
    """Return the time of the clock of the database."""
    # The database is on this host.
    return datetime.datetime.now(datetime.timezone.utc)


class ExpiryCycle:
    """Check the lock of a stack until it is unlocked.

    :param end: in whole seconds; as an attribute, the one that was answered
        last.
    :ivar violations: sentences.
    """

    def __init__(self, database, path, lock_id, end):
        self._database = database
        self._path = path
        self.lock_id = lock_id
        self.end = end
        self.violations = []

    def judge(self, name, status):
        """Check the response to an operation."""
        if 0 < status < 400:
            self._note_early(f'{name} was answered {status}')

    def is_lifted(self):
        """Return whether it is unlocked; note an unlock before expiration."""
        lock_ids = hold_period.unless_away(lambda: (self._database.lock_id(
            self._path.rpartition('/')[2]),))
        if lock_ids is None or lock_ids == (self.lock_id,):
            return False
        self._note_early(f'its lock {self.lock_id} became {lock_ids[0]}')
        return True

    def _note_early(self, text):
        # The time is read after the event, which was not later.
        seen_at = now()
        if seen_at < self.end:
            self.violations.append(
                f'{self._path} was locked until {self.end}, and {text} by '
                f'{seen_at}')
