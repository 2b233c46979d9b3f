# SPDX-License-Identifier: Apache-2.0

"""Tests of updates with a lock pass."""

import urllib.parse

from tests.functional import base
from tests.functional import lock_pass_base
from tests.functional import templates
from tests.harness import request_times
from tests.harness import waiting

IN_USE = 'An operation that the lock allows to finish is in progress'
LEGACY = base.LEGACY.replace('[DEFAULT]\n', '')


class UseTestCase(lock_pass_base.PassTestCase):
    settings = lock_pass_base.PassTestCase.covered

    def begin(self, **parameters):
        """Start a slow update with a lock pass."""
        self.assert_status(200, self.grant())
        self.assert_status(202, self.change(self.bob, wait=self.long,
                                            **parameters))
        self.assertEqual('UPDATE_IN_PROGRESS', self.status())

    def assert_in_use(self, answer):
        self.assertIn(IN_USE, self.assert_refused(answer))


class UseTest(UseTestCase):
    template = lock_pass_base.LONE
    files = {}

    def test_pass_user_can_cancel_update(self):
        for action, end in (('cancel_update', 'ROLLBACK_COMPLETE'),
                            ('cancel_without_rollback', 'UPDATE_FAILED')):
            self.begin()
            self.client.wait_for_resource(self.path, 'test',
                                          'UPDATE_IN_PROGRESS')
            reader = self.sandbox.client('carol', 'reader')
            self.assert_status(403, reader.post(self.path + '/actions',
                                                {action: None}))
            self.assert_status(200, self.bob.post(self.path + '/actions',
                                                  {action: None}))
            self.end(end)

    def test_invalid_update_does_not_use_lock_pass(self):
        self.assert_status(200, self.grant())
        before = self.client.show_stack(self.path), self.events()
        for parameters in {'size': 'many'}, {'unknown': 1}:
            self.assert_status(400, self.change(self.bob, **parameters))
        self.assertEqual(before, (self.client.show_stack(self.path),
                                  self.events()))
        self.assert_status(202, self.change(self.bob))
        self.end('UPDATE_COMPLETE')

    def test_update_without_changes_uses_lock_pass(self):
        self.assert_status(200, self.grant())
        self.assert_status(202, self.bob.patch(self.path, {}))
        self.end('UPDATE_COMPLETE')

    def test_lock_expires_after_update_with_lock_pass(self):
        self.assert_status(200, self.lock(
            level='stacks', expires_at=request_times.from_now(minutes=5)))
        self.begin()
        self.sandbox.sql("""
            UPDATE heat_extras_guard
            SET expires_at = datetime('now', '-60 seconds') || '.000000',
                unlock_at = datetime('now', '-60 seconds') || '.000000',
                pass_expires_at = datetime('now', '-60 seconds')
                    || '.000000'
            WHERE stack_id = ?""", self.path.rpartition('/')[2])
        self.assert_in_use(self.change(self.client))
        self.assertEqual('UPDATE_IN_PROGRESS', self.status())
        waiting.until_equal('the lock to be lifted', {(None, None)},
                            self.columns)
        # Nor after the unlock: the pass user polls the status of the stack.
        self.assertEqual('UPDATE_COMPLETE', self.status())

    def test_lock_is_extended_during_update(self):
        self.begin()
        self.assert_status(
            200,
            self.action('extend_lock',
                        expires_at=request_times.from_now(days=1)))
        self.end('UPDATE_COMPLETE')
        self.assertIsNotNone(
            self.client.show_stack(self.path)['lock_expires_at'])

    def test_events_during_update_do_not_look_final(self):
        before = len(self.events())
        self.begin()
        later = request_times.from_now(days=1)
        for action, fields in (('extend_lock', {'expires_at': later}),
                               ('protect', {}), ('unprotect', None)):
            self.assert_status(200, self.client.post(
                self.path + '/actions', {action: fields}))
        self.end('UPDATE_COMPLETE')
        statuses = [status for name, status, _ in self.events()[before:]
                    if name == self.name]
        self.assertEqual(
            ['LOCK_COMPLETE', 'LOCK_IN_PROGRESS', 'UPDATE_IN_PROGRESS',
             'LOCK_IN_PROGRESS', 'PROTECT_IN_PROGRESS',
             'UNPROTECT_IN_PROGRESS', 'UPDATE_COMPLETE', 'LOCK_COMPLETE'],
            statuses)


class LegacyUseTest(UseTest):
    settings = UseTest.settings + LEGACY

    def test_backup_stack_is_not_changed_during_update(self):
        self.begin()
        (name, backup_id), = waiting.until(
            'the backup stack', lambda: self.sandbox.sql(
                'SELECT name, id FROM stack WHERE backup = 1 AND '
                'owner_id = ?', self.path.rpartition('/')[2]), bool)
        path = f'/stacks/{urllib.parse.quote(name)}/{backup_id}'
        for answer in self.client.delete(path), self.change(self.bob, path):
            self.assert_status(409, answer)
            self.assertIn(IN_USE, answer.text)
        self.end('UPDATE_COMPLETE')


class HookTest(lock_pass_base.PassTestCase):
    """Tests of an update that waits at a hook."""

    template = templates.SCALING
    files = templates.FILES

    def test_pass_user_can_clear_hooks(self):
        self.assert_status(200, self.grant())
        self.assert_status(202, self.bob.put(self.path, {
            'template': self.template, 'files': self.files,
            'parameters': {'value': 'two'},
            'environment': {'resource_registry': {'resources': {
                'test': {'hooks': 'pre-update'}}}}}))
        resource = self.path + '/resources/test'
        waiting.until('the hook', lambda: [
            event for event in self.events() if 'paused' in event[2]], bool)
        clear = resource + '/signal', {'unset_hook': 'pre-update'}
        self.assert_refused(self.sandbox.client('carol', 'reader').post(
            *clear))
        self.assert_status(200, self.bob.post(*clear))
        self.end('UPDATE_COMPLETE')


class LegacyHookTest(HookTest):
    settings = HookTest.settings + LEGACY


class ReauthenticationTest(lock_pass_base.PassTestCase):
    """Heat replaces the trust of a stack when it loads the stack."""

    settings = lock_pass_base.PassTestCase.settings + (
        'reauthentication_auth_method = trusts\n')

    def credentials(self):
        (credentials_id,), = self.sandbox.sql(
            'SELECT user_creds_id FROM stack WHERE id = ?',
            self.path.rpartition('/')[2])
        return credentials_id

    def test_trust_is_replaced_when_lock_pass_is_used(self):
        self.assert_status(200, self.grant())
        before = self.credentials()
        self.assert_status(400, self.change(self.bob, size='many'))
        self.assertIsNone(self.shown_pass()['used_at'])
        self.assertEqual(before, self.credentials())
        self.assert_status(202, self.change(self.bob, size=2))
        self.end('UPDATE_COMPLETE')
        self.assertNotEqual(before, self.credentials())
        self.assert_refused(self.change(self.bob))


class LegacyReauthenticationTest(ReauthenticationTest):
    settings = ReauthenticationTest.settings + LEGACY
