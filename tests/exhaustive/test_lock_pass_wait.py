# SPDX-License-Identifier: Apache-2.0

"""Clients that wait for an update with a pass by ``stack_status`` alone."""

import contextlib
import threading
import time

from keystoneauth1 import session
from keystoneauth1 import token_endpoint
import openstack.connection
import openstack.exceptions

from tests.functional import lock_pass_base
from tests.functional import test_lock_pass

_OFF = '[heat_extras]\nstatus_overlay = off\n'


class WaitTest(lock_pass_base.PassTestCase):
    settings = lock_pass_base.PassTestCase.covered
    template = lock_pass_base.LONE
    files = {}

    def setUp(self):
        super().setUp()
        self.assert_status(200, self.grant())
        self.openstack = openstack.connection.Connection(
            session=session.Session(auth=token_endpoint.Token(
                self.bob.url, self.bob.token))).orchestration
        self.stack = self.openstack.find_stack(self.name)

    @contextlib.contextmanager
    def watched(self):
        """Give a list of what the stack shows, until some time later."""
        seen, is_over = [], threading.Event()

        def look():
            while not is_over.is_set():
                status = self.status()
                if status not in seen[-1:]:
                    seen.append(status)
                time.sleep(0.05)

        watcher = threading.Thread(target=look)
        watcher.start()
        try:
            yield seen
            self.wait_until_closed()
            # An engine checks the stack once more at its report.
            time.sleep(2)
        finally:
            is_over.set()
            watcher.join()

    def wait_with_sdk(self, status, **parameters):
        """Update the stack, and wait as programs on openstacksdk do."""
        self.assert_status(202, self.change(self.bob, wait=2, **parameters))
        return self.openstack.wait_for_status(
            self.stack, status, ['UPDATE_FAILED'], interval=0.1, wait=60)

    def assert_seen(self, seen, *wanted):
        # Heat's legacy engine answers before its thread begins.
        self.assertIn(seen, (list(wanted), ['CREATE_COMPLETE', *wanted]))

    def test_success(self):
        with self.watched() as seen:
            stack = self.wait_with_sdk('UPDATE_COMPLETE')
            self.assertEqual('two', stack.parameters['value'])
        self.assert_seen(seen, 'UPDATE_IN_PROGRESS', 'UPDATE_COMPLETE')

    def test_failure(self):
        with self.watched() as seen:
            self.assertRaises(
                openstack.exceptions.ResourceFailure, self.wait_with_sdk,
                'UPDATE_COMPLETE', is_bad=True)
        self.assert_seen(seen, 'UPDATE_IN_PROGRESS', 'UPDATE_FAILED')

    def test_rollback(self):
        with self.watched() as seen:
            self.assert_status(202, self.bob.put(self.path, {
                'template': self.template, 'files': self.files,
                'disable_rollback': False,
                'parameters': {'value': 'two', 'is_bad': True, 'wait': 2}}))
            stack = self.openstack.wait_for_status(
                self.stack, 'ROLLBACK_COMPLETE', ['ROLLBACK_FAILED'],
                interval=0.1, wait=60)
            self.assertEqual('one', stack.parameters['value'])
        # This status can be shorter than the interval of two checks.
        self.assert_seen(
            [each for each in seen if each != 'UPDATE_FAILED'],
            'UPDATE_IN_PROGRESS', 'ROLLBACK_IN_PROGRESS', 'ROLLBACK_COMPLETE')

    def test_openstack_stack_update_wait_reports_status(self):
        for bad, status, code in ((False, 'UPDATE_COMPLETE', 0),
                                  (True, 'UPDATE_FAILED', 1)):
            if bad:
                self.assert_status(200, self.grant())
            done = self.bob.openstack(
                'stack', 'update', '--existing', '--wait',
                '--parameter', 'value=' + status.lower(),
                '--parameter', f'is_bad={bad}', self.name)
            self.assertEqual(code, done.returncode, done.stdout + done.stderr)
            self.assertIn(status, done.stdout + done.stderr)
            self.end(status)


class LegacyWaitTest(WaitTest):
    settings = WaitTest.settings + test_lock_pass.LEGACY


class HiddenWaitTest(WaitTest):
    settings = lock_pass_base.PassTestCase.settings + _OFF


class LegacyHiddenWaitTest(WaitTest):
    settings = WaitTest.settings + test_lock_pass.LEGACY + _OFF
