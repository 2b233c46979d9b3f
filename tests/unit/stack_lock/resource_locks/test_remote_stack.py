# SPDX-License-Identifier: Apache-2.0

"""Remote stacks in a Heat with and without stack locks."""

from heatclient import exc
from oslo_config import cfg
from oslo_config import fixture as config_fixture
import testtools

from heat_extras import conf
from heat_extras.stack_lock.resource_locks import handler_api
from heat_extras.stack_lock.resource_locks import remote_stack
from tests.unit.stack_lock.resource_locks import fakes


class Remote(remote_stack.RemoteStackLockMixin, fakes.Resource):
    cacert = None

    def __init__(self, **shown):
        super().__init__(fakes.Stack(reason='db move'))
        self.shown = {'stack_status': 'CREATE_COMPLETE', **shown}
        self.posted = []
        self.stacks = self.actions = self.client = self
        self.identifier = 'web/1234'
        self.error = None

    def heat(self, path):
        return self

    def get(self, stack_id, resolve_outputs):
        return self

    def to_dict(self):
        return self.shown

    def post(self, path, data):
        if self.error:
            raise self.error
        self.posted.append((path, data))


LOCKED = {'lock_level': 'all', 'locked_by': 'bob', 'lock_reason': 'mine',
          'locked_at': '2026-11-20T10:02:11Z',
          'lock_status': 'LOCK_COMPLETE'}
FREE = {'lock_level': None}


class RemoteStackTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.conf = self.useFixture(config_fixture.Config(cfg.CONF))
        conf.register_opts(cfg.CONF)

    def test_find_lock_describes_lock_of_remote_stack(self):
        self.assertIsNone(Remote(**FREE).find_lock())
        self.assertEqual('the remote stack is locked by bob: mine',
                         Remote(**LOCKED).find_lock()[0])
        self.assertEqual(
            'the remote stack is locked by a user of another project',
            Remote(**{**LOCKED, 'locked_by': None,
                      'lock_reason': None}).find_lock()[0])

    def test_completed_lock_is_recognized_as_own(self):
        remote = Remote(**{**LOCKED, 'lock_status': 'LOCK_IN_PROGRESS'})
        self.assertFalse(remote.check_lock_complete(None))
        remote.shown['lock_status'] = 'LOCK_COMPLETE'
        self.assertTrue(remote.check_lock_complete(None))
        self.assertTrue(remote.find_lock()[1])
        remote.shown['locked_at'] = '2026-11-20T11:00:00Z'
        self.assertFalse(remote.find_lock()[1])

    def test_progress_and_failure_are_detected_without_overlay(self):
        remote = Remote(**{**LOCKED, 'stack_status': 'CREATE_COMPLETE',
                           'lock_status': 'LOCK_IN_PROGRESS'})
        self.assertFalse(remote.check_lock_complete(None))
        remote.shown.update(lock_status='LOCK_FAILED',
                            lock_status_reason='no rights')
        error = self.assertRaises(RuntimeError,
                                  remote.check_lock_complete, None)
        self.assertEqual('no rights', str(error))

    def test_remote_lock_without_saved_id_is_own(self):
        self.assertTrue(Remote(**LOCKED).find_lock()[1])

    def test_rejected_lock_of_locked_stack_is_locked_by_others(self):
        remote = Remote(**LOCKED)
        for remote.error in exc.HTTPConflict('Bob.'), exc.HTTPForbidden('No.'):
            error = self.assertRaises(handler_api.LockedByOthers,
                                      remote.handle_lock, 'all')
            self.assertEqual('the remote stack is locked by bob: mine',
                             str(error))

    def test_conflict_without_complete_lock_is_raised(self):
        for shown in ({**LOCKED, 'lock_status': 'LOCK_IN_PROGRESS'}, FREE):
            remote = Remote(**shown)
            remote.error = exc.HTTPConflict('Busy.')
            self.assertRaises(exc.HTTPConflict, remote.handle_lock, 'all')

    def test_remote_heat_without_locks_has_no_lock_api(self):
        self.assertRaises(handler_api.NoLockAPI, Remote().find_lock)
        remote = Remote(**FREE)
        remote.error = exc.HTTPBadRequest('Invalid action lock')
        error = self.assertRaises(handler_api.NoLockAPI,
                                  remote.handle_lock, 'all')
        self.assertIn('Invalid action lock', str(error))

    def test_remote_heat_without_locks_fails_lock_if_configured(self):
        self.conf.config(group='heat_extras',
                         remote_heat_without_locks='fail')
        error = self.assertRaises(RuntimeError, Remote().find_lock)
        self.assertNotIsInstance(error, handler_api.NoLockAPI)
        self.assertEqual('the remote Heat has no stack locks', str(error))
