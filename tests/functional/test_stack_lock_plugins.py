# SPDX-License-Identifier: Apache-2.0

"""Tests of level ``all`` with a third party's resource plugin."""

from tests.functional import lockable_resources


class PluginTest(lockable_resources.TestCase):
    def _jam(self):
        self.order('jammed')

    def _free(self):
        (self.place / 'jammed').unlink()

    def test_handlers_are_called_and_awaited(self):
        self._locked()
        for name in ('door', 'gate'):
            self.assertEqual('bolted by heat', self.state(name))
            self.assertEqual(('protected', 'CREATE_COMPLETE'),
                             self._protection(name))
        self._unlocked()
        for name in ('door', 'gate'):
            self.assertEqual('open', self.state(name))
        self.assertEqual(
            {(name, f'{action}_{status}') for name in ('door', 'gate')
             for action in ('LOCK', 'UNLOCK')
             for status in ('IN_PROGRESS', 'COMPLETE')},
            {event[:2] for event in self.events()
             if event[0] in ('door', 'gate') and 'LOCK' in event[1]})

    def test_unlock_deletes_rows_of_released_resources(self):
        self._locked()
        self._unlocked()
        self.assertEqual([], self.sandbox.sql(
            'SELECT * FROM heat_extras_protection WHERE root_id = ?',
            self.path.rpartition('/')[2]))

    def test_existing_protection_remains(self):
        (self.place / self.ids['door']).write_text('bolted by bob')
        self._locked()
        self.assertEqual('found_protected', self._protection('door')[0])
        self.assertEqual('bolted by bob',
                         self._resource('door')['lock_protection_reason'])
        self._unlocked()
        self.assertEqual('bolted by bob', self.state())
        (self.place / self.ids['door']).write_text('open')

    def test_lock_after_failed_lock_succeeds(self):
        self._jam()
        stack = self._locked(status='LOCK_FAILED')
        self.assertIn('2 of 2 resources could not be protected',
                      stack['lock_status_reason'])
        self.assertIn('the door is jammed', stack['lock_status_reason'])
        self.assert_refused(self.update())
        self._free()
        self._locked()
        self.assertEqual('bolted by heat', self.state())

    def test_second_lock_calls_no_protected_resource_again(self):
        self._locked()
        calls = self.calls()
        self._locked()
        self.assertEqual(calls, self.calls())

    def test_resource_is_protected_if_only_the_reply_was_lost(self):
        self.order('reply lost')
        stack = self._locked(status='LOCK_FAILED')
        self.assertIn('1 of 2 resources could not be protected: gate of stack',
                      stack['lock_status_reason'])
        self.assertEqual('protected', self._protection('door')[0])
        self._let_everything_go()
        self._unlocked()
        self.assertEqual('open', self.state())

    def test_exit_of_handler_fails_only_its_resource(self):
        self.order('exits')
        stack = self._locked(status='LOCK_FAILED')
        self.assertIn('SystemExit: the door exits',
                      stack['lock_status_reason'])
        self._let_everything_go()
        self._locked()

    def test_failed_release_is_shown_and_retried(self):
        self._locked()
        self._jam()
        self.assert_status(200, self.unlock())
        self._wait(self.path, 'UNLOCK_FAILED')
        self.assert_refused(self.update())
        self.assertEqual('failed', self._protection('door')[0])
        self._free()
        self._unlocked()
        self.assertEqual('open', self.state())

    def test_delete_after_failed_unlock_releases_resources(self):
        self._locked()
        self._jam()
        self.assert_status(200, self.unlock())
        self._wait(self.path, 'UNLOCK_FAILED')
        answer = self.assert_status(409, self.client.delete(self.path))
        self.assertIn('could not be released', answer.text)
        self._free()
        self.assert_status(204, self.client.delete(self.path))
        self.client.wait_for_stack(self.path, ['DELETE_COMPLETE'])
        self.assertEqual({}, self.states())

    def test_list_locks_verifies_protection(self):
        self._locked()
        self.assertEqual((0, {'door': 'protected', 'gate': 'protected'}),
                         self._verified())
        (self.place / self.ids['door']).write_text('open')
        self.assertEqual((1, {'door': 'not_protected', 'gate': 'protected'}),
                         self._verified())
        (self.place / self.ids['door']).write_text('bolted by bob')
        self.assertEqual((1, {'door': 'found_protected',
                              'gate': 'protected'}), self._verified())
        (self.place / self.ids['door']).write_text('bolted by heat')

    def _verified(self):
        status, report = self.verified()
        return status, {each['resource_name']: each['found']
                        for each in report}


class ResourceOverlayTest(lockable_resources.TestCase):
    settings = (lockable_resources.SETTINGS
                + '[heat_extras]\nstatus_overlay = full\n')

    def test_resource_status_shows_lock(self):
        self._locked()
        self.assertEqual(('protected', 'LOCK_COMPLETE'),
                         self._protection('door'))
        self.assertEqual('CREATE_COMPLETE',
                         self._resource('door')['prior_resource_status'])
        self._unlocked()
        self.assertEqual((None, 'UNLOCK_COMPLETE'),
                         self._protection('door'))
        self.order('jammed')
        self._locked(status='LOCK_FAILED')
        self.assertEqual(('failed', 'LOCK_FAILED'), self._protection('door'))
