# SPDX-License-Identifier: Apache-2.0

"""Passes through locks: granted and used; on a live Heat."""

from tests.functional import base
from tests.functional import lock_pass
from tests.functional import test_stack_lock_expiry

IN_USE = 'An update goes through the lock with a pass now'
after = test_stack_lock_expiry.after


class UseTest(lock_pass.PassTestCase):

    def test_one_update_of_one_user_goes_through(self):
        self.assert_status(200, self.grant(reason='patch'))
        self.assert_refused(self.change(self.client))
        self.assert_refused(self.bob.delete(self.path))
        self.assert_status(202, self.change(self.bob, size=2))
        self.end('UPDATE_COMPLETE')
        stack = self.client.show_stack(self.path)
        self.assertEqual(('UPDATE_COMPLETE', 'stacks', None),
                         (stack['stack_status'], stack['lock_level'],
                          stack['lock_pass']))
        self.assertEqual('two', stack['parameters']['value'])
        self.assert_refused(self.change(self.bob))
        told = [reason for name, status, reason in self.events()
                if status == 'LOCK_COMPLETE'][1:]
        self.assertEqual(3, len(told), told)
        self.assertIn('granted to the user with the id bob', told[0])
        self.assertIn('used by the user with the id bob', told[1])
        self.assertIn('the lock holds again', told[2])


class LegacyUseTest(UseTest):
    settings = UseTest.settings + base.LEGACY.replace('[DEFAULT]\n', '')
