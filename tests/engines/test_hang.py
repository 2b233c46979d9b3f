# SPDX-License-Identifier: Apache-2.0

"""An engine that hangs during a lock for longer than its heartbeat."""

import time

from tests.engines import base
from tests.engines import lockable_stack

_LATE_SECONDS = 5


class HangTest(lockable_stack.LockableStackTestCase):
    more = lockable_stack.MORE + '[heat_extras]\nlock_concurrency = 1\n'

    def unlocked(self):
        # The engine that hangs receives requests, but does not answer.
        self.act(self.path, 'unlock')
        return self.lock_state() == self.UNLOCKED

    def test_resumed_engine_stops_superseded_lock(self):
        gate = self.place / 'gate'
        gate.touch()
        (self.place / 'lock waits').write_text(gate.name)
        self.assert_status(200, self.act(self.path, 'lock',
                                         {'level': 'all'}))
        self.wait_for('the first call', self.calls)
        worker = self.worker()
        worker.pause()
        self.addCleanup(worker.go_on)
        self.wait_for_lock('LOCK', 'FAILED', 'all')
        self.wait_for('the unlock', self.unlocked)
        (self.place / 'lock waits').unlink()
        gate.unlink()
        worker.go_on()
        self.wait_for('the call to be taken back', self.calls,
                      lambda calls: len(calls) > 1)
        self.wait_for('all doors to be open', self.doors,
                      lambda doors: doors == {'open'})
        time.sleep(_LATE_SECONDS)
        self.assertEqual({'open'}, self.doors())
        first = self.calls()[0].removeprefix('lock ')
        self.assertEqual([f'lock {first}', f'unlock {first}'], self.calls())
        self.assertEqual([], self.query(
            'SELECT * FROM heat_extras_protection'))
        self.assertTrue(self.unlocked())


class MariaDBTest(HangTest):
    kind = base.MARIADB
