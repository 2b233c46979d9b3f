# SPDX-License-Identifier: Apache-2.0

"""Updates of stack trees with a lock pass."""

from tests.functional import test_lock_pass


class NestedUseTest(test_lock_pass.UseTestCase):

    def members(self):
        """Return the paths of the nested stacks, the outer ones first."""
        listed = self.client.get('/stacks?show_nested=true').json()['stacks']
        return ['/stacks/{stack_name}/{id}'.format(**stack) for stack in
                sorted(listed, key=lambda each: len(each['stack_name']))
                if stack['stack_name'].startswith(self.name + '-')]

    def test_pass_user_can_update_once(self):
        before = self.client.show_stack(self.path)['lock_id']
        self.assert_status(200, self.grant(reason='patch'))
        self.assert_refused(self.change(self.client))
        self.assert_refused(self.change(self.bob, self.members()[0]))
        self.assert_refused(self.bob.delete(self.path))
        self.assert_status(202, self.change(self.bob, size=2))
        self.end('UPDATE_COMPLETE')
        stack = self.client.show_stack(self.path)
        self.assertEqual(('UPDATE_COMPLETE', 'stacks', None, before),
                         (stack['stack_status'], stack['lock_level'],
                          stack['lock_pass'], stack['lock_id']))
        self.assertEqual('two', stack['parameters']['value'])
        for answer in self.change(self.bob), self.change(
                self.bob, self.members()[0]):
            self.assert_refused(answer)
        statuses, reasons = zip(*(
            (status, reason) for name, status, reason in self.events()
            if status.startswith('LOCK_') and 'pass' in reason), strict=True)
        # Clients that wait for events must not see the end of the update yet.
        self.assertEqual(('LOCK_COMPLETE', 'LOCK_IN_PROGRESS',
                          'LOCK_COMPLETE'), statuses)
        self.assertIn('granted to the user with the ID bob', reasons[0])
        self.assertIn('used by the user with the ID bob', reasons[1])
        self.assertIn('The lock is in effect again', reasons[2])

    def test_other_requests_are_rejected_while_pass_is_used(self):
        self.begin(size=2)
        for client in self.client, self.bob, self.admin:
            self.assert_in_use(self.change(client))
            self.assert_in_use(client.delete(self.path))
            self.assert_in_use(client.post(self.path + '/actions',
                                           {'check': None}))
            self.assert_in_use(client.post(self.path + '/snapshots', {}))
            for path in self.members():
                self.assert_in_use(self.change(client, path))
                self.assert_in_use(client.delete(path))
        for answer, called in (
                (self.lock(level='stacks'), 'LOCK'),
                (self.lock(level='stacks', dry_run=True), 'LOCK'),
                (self.grant(), 'Granting a lock pass'),
                (self.revoke(), 'Revoking the lock pass')):
            self.assert_status(409, answer)
            self.assertRegex(answer.text, called + ' of stack .* is not '
                             'allowed while an operation that its lock '
                             'allows to finish is in progress')
        self.assert_status(200, self.client.post(
            self.path + '/resources/scale_up/signal'))
        self.assert_status(200, self.client.post(
            self.path + '/resources/handle/signal', {'id': '1'}))
        stack = self.client.show_stack(self.path)
        self.assertEqual('stacks', stack['lock_level'])
        self.assertIsNotNone(stack['lock_pass']['used_at'])
        self.assertEqual({(None, 'stacks')}, self.columns())
        self.end('UPDATE_COMPLETE')

    def test_nested_stacks_are_locked_after_update_with_pass(self):
        for size in 3, 1:
            self.assert_status(200, self.grant())
            self.assert_status(202, self.change(self.bob, size=size))
            self.end('UPDATE_COMPLETE')
            self.assertEqual(1 + size, len(self.members()))
            for path in self.members():
                self.assert_refused(self.change(self.bob, path))

    def test_update_with_pass_can_be_rolled_back(self):
        self.assert_status(200, self.grant())
        self.assert_status(202, self.bob.put(self.path, {
            'template': self.template, 'files': self.files,
            'disable_rollback': False,
            'parameters': {'value': 'two', 'size': 2, 'is_bad': True}}))
        self.end('ROLLBACK_COMPLETE')
        self.assertEqual('one', self.client.show_stack(self.path)[
            'parameters']['value'])
        self.assertEqual(2, len(self.members()))

    def test_stack_can_be_updated_with_new_pass_after_failure(self):
        self.assert_status(200, self.grant())
        self.assert_status(202, self.change(self.bob, size=2, is_bad=True))
        self.end('UPDATE_FAILED')
        self.assert_refused(self.change(self.bob))
        self.assert_status(200, self.grant())
        self.assert_status(202, self.change(self.bob))
        self.end('UPDATE_COMPLETE')

    def test_stack_can_be_unlocked_during_update_with_pass(self):
        self.begin(size=2)
        self.assert_status(200, self.unlock())
        self.assertEqual({(None, None)}, self.columns())
        self.assertIn(self.status(), ('UPDATE_IN_PROGRESS',
                                      'UPDATE_COMPLETE'))
        self.client.wait_for_stack(self.path, ['UPDATE_COMPLETE'])
        self.assertEqual({(None, None)}, self.columns())
        self.assert_status(202, self.change(self.client, value='three'))


class LegacyNestedUseTest(NestedUseTest):
    settings = NestedUseTest.settings + test_lock_pass.LEGACY
