# SPDX-License-Identifier: Apache-2.0

"""Lock a stack during an operation of another client, check, and unlock."""

from concurrent import futures
import json
import time

from tests.fault_injection import hold_period

_ATTEMPTS = ('update', 'delete', 'check', 'suspend')
WORK = (*_ATTEMPTS, 'abandon')
# An operation needs some time between its check and its first write. The lock
# is set during this time most often if it is sent a little later.
_LOCK_DELAY = 0.2
# Longer than the hang of an engine that was about to write.
_LONGEST_CALM = 10
FREE = {'level': 'stacks', 'id': None}


def run_cycle(user):
    """Lock a stack, check that operations are rejected, and unlock it."""
    with futures.ThreadPoolExecutor(1) as pool:
        requests = [pool.submit(user.work)
                    for _ in range(user.chance.choice((0, 1)))]
        user.at_rest.discard(user.path())
        _lock(user, requests)
    if requests:
        user.rest()


def lock(user, **fields):
    """Lock an unlocked stack.

    :returns: the ID of the lock, or None after an error.
    """
    status, text = user.act('lock', {**FREE, **fields})
    return json.loads(text)['lock']['id'] if status == 200 else None


def _lock(user, requests):
    time.sleep(user.chance.uniform(0, _LOCK_DELAY) * len(requests))
    lock_id = lock(user)
    if lock_id is not None:
        seen = hold_period.HoldPeriod(user.database, user.path(), lock_id)
        check_refusals(user, seen)
        is_all = all(each.done() for each in requests)
        user.unlock(lock_id)
        if is_all and not user.is_loose(*WORK):
            user.at_rest.add(user.path())


def check_refusals(user, seen):
    """Send requests that must be rejected, and check that nothing changes."""
    for name in user.chance.sample(_ATTEMPTS, 2):
        seen.judge(name, *user.send(name))
        time.sleep(user.chance.choice((0, 0, user.chance.uniform(
            0, _LONGEST_CALM))))
        seen.look()
    user.violations += seen.violations
    if seen.span:
        user.count('calms')
        user.calms.append(seen.span)
