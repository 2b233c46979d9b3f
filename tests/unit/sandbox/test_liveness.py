# SPDX-License-Identifier: Apache-2.0

import os
import signal
import subprocess
import sys
import tempfile
import time

import testtools

from heat_extras.sandbox import liveness

# Until its parent has ended.
BUSY = 'import os; parent = os.getppid()\nwhile os.getppid() == parent: pass'
IDLE = 'import time; time.sleep(600)'
BUSY_CHILD = ('import subprocess, sys; '
              f'subprocess.run([sys.executable, "-c", {BUSY!r}])')


class LivenessTest(testtools.TestCase):

    def start(self, script, **options):
        process = subprocess.Popen(
            [sys.executable, '-c', script],
            **{'start_new_session': True, **options})
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
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
        for is_leader in (True, False):
            self.check(self.start(BUSY_CHILD, start_new_session=is_leader),
                       idle_seconds=0.8)

    def test_so_is_one_whose_child_has_a_group_of_its_own(self):
        self.check(self.start(BUSY_CHILD.replace(
            '])', '], start_new_session=True)')), idle_seconds=0.8)

    def write(self, log, count, **options):
        """Check an idle process that writes so many lines, ten a second."""
        watched = liveness.Liveness(self.start(IDLE), [log.name], **options)
        for _count in range(count):
            print('a line', file=log, flush=True)
            watched.check()
            time.sleep(0.1)
        return watched

    def test_so_is_one_that_writes(self):
        log = self.enterContext(tempfile.NamedTemporaryFile('w'))
        self.write(log, 10, idle_seconds=0.3)

    def test_one_that_sleeps_is_not(self):
        self.assertIn('did not use the processor', self.stuck(
            self.start(IDLE), idle_seconds=0.5))

    def test_one_that_is_paused_is_not(self):
        pid = self.start(BUSY)
        os.kill(pid, signal.SIGSTOP)
        self.assertIn('did not use the processor', self.stuck(
            pid, idle_seconds=0.5))

    def test_a_time_without_checks_counts_as_one_pause(self):
        # The waiting process was suspended, too.
        watched = liveness.Liveness(self.start(IDLE), idle_seconds=60,
                                    limit_seconds=90)
        now = time.monotonic()
        self.patch(time, 'monotonic', lambda: now + 3600)
        watched.check()

    def test_one_that_works_for_ever_has_a_limit(self):
        self.assertIn('not done after 1 seconds', self.stuck(
            self.start(BUSY), limit_seconds=1))

    def test_where_there_is_no_proc_it_waits_up_to_the_limit(self):
        self.patch(os, 'listdir', self._no_proc)
        pid = self.start(IDLE)
        self.check(pid, seconds=1, idle_seconds=0.2)
        self.assertIn('not done after', self.stuck(pid, limit_seconds=1))

    def test_where_there_is_no_proc_a_log_counts(self):
        self.patch(os, 'listdir', self._no_proc)
        log = self.enterContext(tempfile.NamedTemporaryFile('w'))
        watched = self.write(log, 10, idle_seconds=0.3)
        time.sleep(0.5)
        self.assertIn('did not write', str(
            self.assertRaises(liveness.Stuck, watched.check)))

    def _no_proc(self, path):
        raise FileNotFoundError(path)
