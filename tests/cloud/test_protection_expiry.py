# SPDX-License-Identifier: Apache-2.0

"""Expiration of locks of level ``all``, with trusts of Keystone."""

import datetime

from oslo_utils import timeutils

from tests.cloud import protection
from tests.cloud import templates

_SECONDS = 15
_TRUSTS = '/OS-TRUST/trusts'


class ExpiryTest(protection.ProtectionTestCase):
    def setUp(self):
        super().setUp()
        before = self.trusts()
        self.path = self.create_stack(templates.stack(
            server=templates.SERVER))
        self.trust, = self.trusts() - before
        self.server_id = self.physical_id(self.path, 'server')

    def trusts(self):
        """Return the ids of the trusts that alice has given Heat."""
        user_id = self.alice.connection.current_user_id
        trusts = self.alice.call('identity', 'GET', (
            f'{_TRUSTS}?trustor_user_id={user_id}')).json()['trusts']
        return {each['id'] for each in trusts}

    def lock_for_a_moment(self):
        end = timeutils.utcnow() + datetime.timedelta(seconds=_SECONDS)
        self.lock(self.path, expires_at=end.isoformat() + 'Z')
        self.assertEqual({self.server_id}, self.locked_servers())

    def wait_for_status(self, status):
        self.wait_for(status, lambda: self.alice.lock_status(self.path),
                      lambda value: value == status)

    def unlocks(self):
        """Return the statuses of the unlocks of the stack, oldest first."""
        events = self.alice.get(
            self.path + '/events?sort_dir=asc').json()['events']
        return [event['resource_status'] for event in events
                if event['physical_resource_id'] in self.path
                and event['resource_status'].startswith('UNLOCK')]

    def test_expired_lock_is_removed_with_trust_of_stack(self):
        self.lock_for_a_moment()
        self.wait_for_status('UNLOCK_COMPLETE')
        self.assertEqual(set(), self.locked_servers())

    def test_unlock_is_retried_if_trust_of_stack_is_deleted(self):
        self.lock_for_a_moment()
        self.assert_status(204, self.alice.call(
            'identity', 'DELETE', f'{_TRUSTS}/{self.trust}'))
        self.wait_for_status('UNLOCK_FAILED')
        reason = self.last_reason(self.path)
        self.assertIn('1 of 1 resource could not be released: server', reason)
        self.assertIn('that Heat keeps for the stack lack', reason)
        self.assertEqual({self.server_id}, self.locked_servers())
        self.assert_refused(self.alice.put(self.path, {
            'template': templates.stack()}))
        once = ['UNLOCK_IN_PROGRESS', 'UNLOCK_FAILED']
        self.assertEqual(once, self.unlocks())
        # The engine retries after a minute.
        self.wait_for('it to be tried again', self.unlocks,
                      lambda value: value == 2 * once)
        self.unlock(self.path)
        self.assertEqual(set(), self.locked_servers())
