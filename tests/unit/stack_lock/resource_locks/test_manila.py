# SPDX-License-Identifier: Apache-2.0

"""The owners of locks of shares, and users who can remove them."""

from unittest import mock

from manilaclient import exceptions
import testtools

from heat.common import exception as heat_exception
from heat_extras.stack_lock.resource_locks import handler_api
from heat_extras.stack_lock.resource_locks import manila
from tests.unit.stack_lock.resource_locks import fakes


class Manila:
    """Locks as tests/cloud/test_facts_manila.py has measured them."""

    def __init__(self, newest='2.91'):
        self.newest = newest
        self.locks = []
        self.user = None
        self.services = self.resource_locks = self

    def connect(self, version, session, **how):
        self.user = session
        return self

    def server_api_version(self):
        return [mock.Mock(version='1.0'), mock.Mock(version=self.newest)]

    def list(self, search_opts):
        is_visible = (self.user != 'operator'
                      or search_opts.get('all_projects'))
        return list(self.locks) if is_visible else []

    def create(self, share, kind, resource_action, lock_reason):
        lock = mock.Mock(id=f'lock-{len(self.locks)}', user_id=self.user,
                         lock_reason=lock_reason)
        self.locks.append(lock)
        return lock

    def delete(self, lock_id):
        lock, = (each for each in self.locks if each.id == lock_id)
        if self.user not in (lock.user_id, 'admin'):
            raise exceptions.Forbidden()
        self.locks.remove(lock)


class Share(manila.ShareLockMixin, fakes.Resource):
    pass


class ShareTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.manila = Manila()
        patcher = mock.patch.object(manila.manila_client, 'Client',
                                    self.manila.connect)
        patcher.start()
        self.addCleanup(patcher.stop)

    def share(self, user='alice', stored='alice', **lock):
        share = Share(fakes.Stack(**{'reason': 'db move', **lock}))
        share.context.keystone_session = user
        share.stack.stored.keystone_session = stored
        return share

    def test_share_is_locked_and_unlocked(self):
        share = self.share()
        self.assertIsNone(share.find_lock())
        share.handle_lock('all')
        self.assertEqual(
            ('the share has lock lock-0 of user alice: '
             'locked with Heat stack web: db move', True),
            share.find_lock())
        share.handle_unlock()
        self.assertIsNone(share.find_lock())

    def test_lock_of_member_belongs_to_stack_owner(self):
        self.share('bob').handle_lock('all')
        self.assertEqual('alice', self.manila.locks[0].user_id)

    def test_other_member_unlocks_with_stored_credentials(self):
        share = self.share()
        share.handle_lock('all')
        share.context.keystone_session = 'bob'
        share.handle_unlock()
        self.assertEqual([], self.manila.locks)

    def test_administrator_lock_belongs_to_administrator(self):
        share = self.share('admin', rank='admin')
        share.handle_lock('all')
        self.assertEqual('admin', self.manila.locks[0].user_id)
        share.context.keystone_session = 'bob'
        self.assertRaises(exceptions.Forbidden, share.handle_unlock)

    def test_share_is_locked_by_caller_without_stored_credentials(self):
        share = self.share('bob')
        share.stack.stored_context = mock.Mock(
            side_effect=heat_exception.Error('none'))
        share.handle_lock('all')
        self.assertEqual('bob', self.manila.locks[0].user_id)
        share.context.keystone_session = 'carol'
        self.assertRaises(exceptions.Forbidden, share.handle_unlock)

    def test_unlock_keeps_lock_of_other_user(self):
        share = self.share()
        share.handle_lock('all')
        self.manila.create(None, None, None, 'mine')
        share.handle_unlock()
        self.assertEqual(['mine'], [lock.lock_reason
                                    for lock in self.manila.locks])
        text, is_own = share.find_lock()
        self.assertFalse(is_own)
        self.assertIn('mine', text)

    def test_lock_without_saved_id_is_recognized_by_reason(self):
        self.share().handle_lock('all')
        share = self.share()
        self.assertIsNone(handler_api.load_lock_id(share))
        self.assertTrue(share.find_lock()[1])
        share.handle_unlock()
        self.assertEqual([], self.manila.locks)

    def test_operator_finds_lock_from_other_project(self):
        share = self.share()
        share.handle_lock('all')
        share.context.keystone_session = 'operator'
        share.context.project_id = 'operators'
        self.assertTrue(share.find_lock()[1])

    def test_older_manila_has_no_lock_api(self):
        self.manila.newest = '2.80'
        error = self.assertRaises(handler_api.NoLockAPI,
                                  self.share().find_lock)
        self.assertIn('supports API version 2.80, but resource locks require '
                      'version 2.81', str(error))
