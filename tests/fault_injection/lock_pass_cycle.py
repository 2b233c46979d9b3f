# SPDX-License-Identifier: Apache-2.0

"""Grant a lock pass, and check that only one of two updates is accepted.

Operations of other users are rejected, and at most one update starts. When the
update is complete, the same lock is in effect again, also for the pass user.
"""

from concurrent import futures

from tests.fault_injection import hold_period
from tests.fault_injection import lock_cycle
from tests.harness import request_times
from tests.harness import waiting

_CLOSED_SECONDS = 25
_BEGUN_SECONDS = 15
_BACK_SECONDS = 60
OTHERS = ('update', 'delete', 'check')
LOCKED = {('stacks', None)}


def run_cycle(user):
    """Run the cycle once."""
    user.at_rest.discard(user.path())
    lock_id = lock_cycle.lock(user)
    if lock_id is None:
        return
    seen = LockPassCycle(user.database, user.path(), lock_id)
    if user.act('lock_pass', {
            'user': {'id': 'bob'},
            'expires_at': request_times.from_now(hours=1)})[0] == 200:
        user.count('passes')
        _use(user, seen)
    user.violations += seen.violations
    if user.path() not in user.passing:
        user.unlock(lock_id)
        user.rest()


def _use(user, seen):
    with futures.ThreadPoolExecutor(3) as pool:
        # Sent first: it must be rejected at any time.
        name = user.chance.choice(OTHERS)
        other = pool.submit(user.send, name)
        sent = [pool.submit(user.send, 'update', user.holder)
                for _ in range(2)]
    seen.judge_other(name, *other.result())
    statuses = [each.result()[0] for each in sent]
    seen.judge(statuses)
    if not seen.is_used(_BEGUN_SECONDS * (202 in statuses)):
        return
    user.count('passes used')
    if seen.is_closed():
        # All users are rejected again.
        again = hold_period.HoldPeriod(user.database, user.path(),
                                       seen.lock_id)
        again.judge('the update of a pass that was used',
                    *user.send('update', user.holder))
        lock_cycle.check_refusals(user, again)
        seen.look()
    elif user.chance.choice((True, False)):
        # Whether it closes at all is checked at the end. Otherwise, the
        # open stack is unlocked.
        user.passing.add(user.path())


class LockPassCycle:
    """Check a locked stack tree during one update with a lock pass.

    :ivar violations: sentences.
    """

    def __init__(self, database, path, lock_id):
        self._database = database
        self._path = path
        self._stack_id = path.rpartition('/')[2]
        self.lock_id = lock_id
        self.violations = []
        self._since = self._read(database.last_event)

    def judge(self, statuses):
        """Check the responses to the updates of the pass user."""
        if statuses.count(202) > 1:
            self._note(f'two updates were answered {statuses}')
        self.look()

    def judge_other(self, name, status, text):
        """Check the response to an operation of another user."""
        if 0 < status < 500 and not (
                status == 409 and 'StackLocked' in text):
            self._note(f'{name} of another user was answered {status}: '
                       f'{text}')

    def look(self):
        """Count the updates that have started."""
        begun = self._begun()
        if begun is not None and len(begun) > 1:
            self._note(f'{len(begun)} updates have begun')

    def is_used(self, seconds=0):
        """Return whether an update has started, possibly after some time.

        Plugins are asked before, and after the answer.
        """
        return bool(waiting.last(self._begun, bool, seconds))

    def is_closed(self, seconds=_CLOSED_SECONDS):
        """Wait until the lock is in effect again; returns whether it is."""
        return waiting.last(
            lambda: self._read(self._levels),
            lambda value: value == LOCKED, seconds) == LOCKED

    def _levels(self):
        return self._database.levels(self._stack_id)

    def _begun(self):
        if self._since is None:
            return None
        events = self._read(lambda: self._database.events(
            self._stack_id, self._since))
        return [row for row in events or ()
                if row['physical_resource_id'] == self._stack_id
                and (row['resource_action'], row['resource_status'])
                == ('UPDATE', 'IN_PROGRESS')]

    def _read(self, find):
        return waiting.last(lambda: hold_period.unless_away(find),
                            lambda value: value is not None, _BACK_SECONDS)

    def _note(self, text):
        text = f'{self._path} had a pass, and {text}'
        if text not in self.violations:
            self.violations.append(text)
