# SPDX-License-Identifier: Apache-2.0

import os
import signal
import subprocess
import sys
import tempfile
import time

import testtools

from heat_extras.sandbox import liveness

BUSY = 'while True: pass'
IDLE = 'import time; time.sleep(600)'
BUSY_CHILD = ('import subprocess, sys; '
              f'subprocess.run([sys.executable, "-c", {BUSY!r}])')


class LivenessTest(testtools.TestCase):

    def start(self, script):
        process = subprocess.Popen(
            [sys.executable, '-c', script], start_new_session=True)
        self.addCleanup(process.wait)
        self.addCleanup(os.killpg, process.pid, signal.SIGKILL)
        return process.pid

    def check(self, pid, seconds=2, **options):
        watched = liveness.Liveness(pid, **options)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            watched.check()
            time.sleep(0.05)

    def stuck(self, pid, **options):
        return str(self.assertRaises(liveness.Stuck, self.check, pid,
                                     seconds=60, **options))

    def test_one_that_works_is_waited_for(self):
        self.check(self.start(BUSY), idle_seconds=0.8)

    def test_so_is_one_whose_child_works(self):
        self.check(self.start(BUSY_CHILD), idle_seconds=0.8)

    def test_so_is_one_that_writes(self):
        pid = self.start(IDLE)
        log = self.enterContext(tempfile.NamedTemporaryFile('w'))
        watched = liveness.Liveness(pid, [log.name], idle_seconds=0.3)
        for _count in range(10):
            print('a line', file=log, flush=True)
            watched.check()
            time.sleep(0.1)

    def test_one_that_sleeps_is_not(self):
        self.assertIn('did not use the processor', self.stuck(
            self.start(IDLE), idle_seconds=0.5))

    def test_one_that_is_paused_is_not(self):
        pid = self.start(BUSY)
        os.kill(pid, signal.SIGSTOP)
        self.assertIn('did not use the processor', self.stuck(
            pid, idle_seconds=0.5))

    def test_one_that_works_for_ever_has_a_limit(self):
        self.assertIn('not done after 1 seconds', self.stuck(
            self.start(BUSY), limit_seconds=1))

    def test_where_there_is_no_proc_it_waits_up_to_the_limit(self):
        self.patch(os, 'listdir', self._no_proc)
        pid = self.start(IDLE)
        self.check(pid, seconds=1, idle_seconds=0.2)
        self.assertIn('not done after', self.stuck(pid, limit_seconds=1))

    def _no_proc(self, path):
        raise FileNotFoundError(path)
