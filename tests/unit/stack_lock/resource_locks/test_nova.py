# SPDX-License-Identifier: Apache-2.0

"""The owners of locks of servers, with several versions of Nova."""

from unittest import mock

import testtools

from heat_extras.stack_lock.resource_locks import handler_api
from heat_extras.stack_lock.resource_locks import nova
from tests.unit.stack_lock.resource_locks import fakes

REASON = 'locked with Heat stack web: db move'


class Nova:
    """Locks as tests/cloud/test_facts_nova.py has measured them."""

    def __init__(self, newest='2.96'):
        self.newest = tuple(map(int, newest.split('.')))
        self.version = None
        self.locked = False
        self.locked_reason = None
        self.entries = []
        self.asked = []
        self.keeps_entries = True
        self.servers = self.instance_action = self

    def is_version_supported(self, version):
        return tuple(map(int, version.split('.'))) <= self.newest

    def get(self, server):
        self.asked.append('server')
        if self.version == '2.73':
            return self
        return mock.Mock(spec=['locked'], locked=self.locked)

    def list(self, server):
        self.asked.append('entries')
        return list(reversed(self.entries))

    def lock(self, server, user='alice', **reason):
        request = f'req-{len(self.entries)}'
        if not self.locked or user == 'root':
            self.locked = True
            self.locked_reason = reason.get('reason', self.locked_reason)
            if self.keeps_entries:
                self.entries.append(mock.Mock(
                    action='lock', user_id=user, request_id=request))
        self.reasons = reason
        return mock.Mock(request_ids=[request])

    def unlock(self, server):
        self.locked, self.locked_reason = False, None
        self.entries.append(mock.Mock(action='unlock'))


class Server(nova.ServerLockMixin, fakes.Resource):
    def __init__(self, service, stack=None):
        super().__init__(stack or fakes.Stack(reason='db move'))
        self.plugin = self.service = service

    def client(self, version):
        self.service.version = version
        return self.service


class ServerTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.nova = Nova()
        self.server = Server(self.nova)

    def assert_ours(self, text):
        self.assertEqual((text, True), self.server.find_lock())

    def test_server_is_locked_and_unlocked(self):
        self.assertIsNone(self.server.find_lock())
        self.server.handle_lock('all')
        self.assert_ours(f'the server is locked by user alice: {REASON}')
        self.server.handle_unlock()
        self.assertIsNone(self.server.find_lock())

    def test_find_lock_queries_server_and_actions_once(self):
        self.server.handle_lock('all')
        del self.nova.asked[:]
        self.server.find_lock()
        self.assertEqual(['server', 'entries'], self.nova.asked)

    def find_while_bob_locks(self):
        show = self.nova.get

        def change(server):
            shown = show(server)
            self.nova.get = show
            self.nova.unlock(None)
            self.nova.lock(None, user='bob', reason='mine')
            return mock.Mock(locked=shown.locked, locked_reason=REASON)
        self.nova.get = change
        text, is_own = self.server.find_lock()
        self.assertFalse(is_own)
        self.assertIn('bob', text)

    def test_lock_of_other_user_during_query_is_detected(self):
        self.server.handle_lock('all')
        self.find_while_bob_locks()

    def test_lock_reason_has_at_most_255_characters(self):
        server = Server(self.nova, fakes.Stack('n' * 250, reason='x' * 255))
        server.handle_lock('all')
        self.assertEqual(255, len(self.nova.locked_reason))

    def test_lock_reason_without_stack_reason(self):
        Server(self.nova, fakes.Stack('web')).handle_lock('all')
        self.assertEqual('locked with Heat stack web',
                         self.nova.locked_reason)

    def test_older_nova_has_no_lock_api(self):
        self.nova.newest = (2, 72)
        self.assertRaises(handler_api.NoLockAPI, self.server.find_lock)

    def test_lock_fails_if_server_is_locked_by_other_user(self):
        self.nova.lock(None, user='bob', reason='mine')
        error = self.assertRaises(handler_api.LockedByOthers,
                                  self.server.handle_lock, 'all')
        self.assertIn('bob', str(error))

    def test_lock_with_lost_response_is_own_lock(self):
        self.nova.lock(None, reason=REASON)
        self.server.handle_lock('all')
        self.assertTrue(self.server.find_lock()[1])

    def test_administrator_lock_over_own_lock_is_not_own(self):
        self.server.handle_lock('all')
        self.nova.lock(None, user='root')
        self.assertEqual(REASON, self.nova.locked_reason)
        self.assertFalse(self.server.find_lock()[1])

    def test_new_lock_with_same_reason_is_not_own(self):
        self.server.handle_lock('all')
        self.nova.unlock(None)
        self.nova.lock(None, user='bob', reason=REASON)
        self.assertFalse(self.server.find_lock()[1])

    def test_lock_without_saved_id_is_recognized_by_reason(self):
        self.nova.lock(None, reason=REASON)
        self.assertTrue(self.server.find_lock()[1])
        self.nova.unlock(None)
        self.nova.lock(None, reason='mine')
        self.assertFalse(self.server.find_lock()[1])

    def test_own_lock_is_found_without_instance_actions(self):
        self.nova.keeps_entries = False
        self.server.handle_lock('all')
        self.assert_ours(f'the server is locked: {REASON}')
