# SPDX-License-Identifier: Apache-2.0

"""Lock a stack while an engine that works on one of its resources is stopped.

Another branch of the update fails, so the stack is FAILED. The lock ignores
the stopped engine, which then continues, either during the lock or after it.
"""

import contextlib
import json
import time

from tests.fault_injection import hold_period
from tests.fault_injection import lock_cycle
from tests.harness import waiting

_FAILS_AFTER = 2
_WORK_SECONDS = 15
# Until the engine is considered down, with requests that it does not answer.
_LOCK_SECONDS = 45


def run_cycle(user):
    """Run the cycle once."""
    user.at_rest.discard(user.path())
    if user.start_failing_update(_FAILS_AFTER, _WORK_SECONDS) == 202:
        engine_id = waiting.last(user.failed_branch_engine, bool,
                                 _WORK_SECONDS)
        if engine_id:
            _lock_while_stopped(user, engine_id)
    user.rest()


def _lock_while_stopped(user, engine_id):
    with contextlib.ExitStack() as until:
        if not until.enter_context(user.faults.stopped_engine(engine_id)):
            return
        user.count('engines stopped')
        lock_id = _lock(user)
        if lock_id is None:
            return
        user.count('locks with a stopped engine')
        seen = hold_period.HoldPeriod(user.database, user.path(), lock_id)
        if user.chance.choice((True, False)):
            until.close()
        lock_cycle.check_refusals(user, seen)
        user.unlock(lock_id)
    if not user.is_loose(*lock_cycle.WORK):
        user.at_rest.add(user.path())


def _lock(user):
    deadline = time.monotonic() + _LOCK_SECONDS
    while time.monotonic() < deadline:
        status, text = user.act('lock', lock_cycle.FREE)
        if status == 200:
            return json.loads(text)['lock']['id']
        time.sleep(1)
    return None
