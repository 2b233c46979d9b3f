# SPDX-License-Identifier: Apache-2.0

"""The user who locks stacks at random, on a sandbox."""

import fixtures

from tests.consumers import concurrent_user
from tests.functional import base
from tests.harness import waiting

_TEMPLATE = {'heat_template_version': '2018-08-31',
             'resources': {'text': {'type': 'OS::Heat::RandomString'}}}


class ConcurrentUserTest(base.TestCase):
    def setUp(self):
        super().setUp()
        self.useFixture(fixtures.MonkeyPatch(
            'tests.consumers.concurrent_user._FREE', (0.01, 0.02)))
        self.path = self.client.create_stack('web', _TEMPLATE)
        self.addCleanup(waiting.until_equal, 'the name to be free', 404,
                        lambda: self.client.get('/stacks/web').status_code)
        self.addCleanup(self.client.delete, self.path)

    def test_stack_is_locked_unlocked_and_finally_deleted(self):
        with concurrent_user.ConcurrentUser(self.client, 1) as other_user:
            waiting.until('a lock and its end',
                          lambda: other_user.answers['unlock 200'])
        self.assertIsNone(self.client.show_stack(self.path)['lock_level'])
        self.assertEqual(
            other_user.answers['lock 200'], other_user.answers['unlock 200'])
        self.assertEqual(([], []), (other_user.clear(), other_user.violations))
        self.assertEqual(
            [], self.client.get('/stacks').json()['stacks'])

    def test_rejected_lock_and_remaining_stack_are_reported(self):
        self.useFixture(fixtures.MonkeyPatch(
            'tests.consumers.concurrent_user._GONE_SECONDS', 1))
        with concurrent_user.ConcurrentUser(
                self.sandbox.client('eve', 'reader'), 1) as other_user:
            waiting.until('a refusal', lambda: other_user.violations)
        self.assertIn('lock was answered 403', other_user.violations[0])
        self.assertEqual(
            ['web stays: CREATE_COMPLETE (Stack CREATE completed '
             'successfully)'], other_user.clear())
