# SPDX-License-Identifier: Apache-2.0

"""Remote stacks: the other Heat's lock, or that it has none."""

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

    def test_who_has_locked_it(self):
        self.assertIsNone(Remote(**FREE).find_lock())
        self.assertEqual('the remote stack is locked by bob: mine',
                         Remote(**LOCKED).find_lock()[0])
        self.assertEqual(
            'the remote stack is locked by a user of another project',
            Remote(**{**LOCKED, 'locked_by': None,
                      'lock_reason': None}).find_lock()[0])

    def test_it_is_asked_with_our_level_and_reason(self):
        remote = Remote(**FREE)
        remote.handle_lock('all')
        remote.handle_unlock()
        self.assertEqual(
            [('/stacks/web/1234/actions',
              {'lock': {'level': 'all', 'reason': 'db move'}}),
             ('/stacks/web/1234/actions', {'unlock': None})], remote.posted)

    def test_it_is_waited_for_and_remembered(self):
        remote = Remote(**{**LOCKED, 'lock_status': 'LOCK_IN_PROGRESS'})
        self.assertFalse(remote.check_lock_complete(None))
        remote.shown['lock_status'] = 'LOCK_COMPLETE'
        self.assertTrue(remote.check_lock_complete(None))
        self.assertTrue(remote.find_lock()[1])
        remote.shown['locked_at'] = '2026-11-20T11:00:00Z'
        self.assertFalse(remote.find_lock()[1])

    def test_a_status_overlay_that_is_off_hides_no_end(self):
        remote = Remote(**{**LOCKED, 'stack_status': 'CREATE_COMPLETE'})
        self.assertTrue(remote.check_lock_complete(None))
        self.assertFalse(remote.check_unlock_complete(None))
        self.assertTrue(Remote(**FREE).check_unlock_complete(None))

    def test_nor_that_it_goes_on_or_has_failed(self):
        remote = Remote(**{**LOCKED, 'stack_status': 'CREATE_COMPLETE',
                           'lock_status': 'LOCK_IN_PROGRESS'})
        self.assertFalse(remote.check_lock_complete(None))
        remote.shown.update(lock_status='LOCK_FAILED',
                            lock_status_reason='no rights')
        error = self.assertRaises(RuntimeError,
                                  remote.check_lock_complete, None)
        self.assertEqual('no rights', str(error))

    def test_its_failure_is_ours(self):
        remote = Remote(lock_status='LOCK_FAILED',
                        lock_status_reason='no rights')
        error = self.assertRaises(RuntimeError,
                                  remote.check_lock_complete, None)
        self.assertEqual('no rights', str(error))

    def test_what_a_dead_engine_did_not_note_is_ours(self):
        self.assertTrue(Remote(**LOCKED).find_lock()[1])

    def test_a_lock_that_came_before_ours_is_another_one(self):
        remote = Remote(**LOCKED)
        for remote.error in exc.HTTPConflict('Bob.'), exc.HTTPForbidden('No.'):
            error = self.assertRaises(handler_api.LockedByOthers,
                                      remote.handle_lock, 'all')
            self.assertEqual('the remote stack is locked by bob: mine',
                             str(error))

    def test_one_that_is_not_complete_may_be_ours(self):
        for shown in ({**LOCKED, 'lock_status': 'LOCK_IN_PROGRESS'}, FREE):
            remote = Remote(**shown)
            remote.error = exc.HTTPConflict('Busy.')
            self.assertRaises(exc.HTTPConflict, remote.handle_lock, 'all')

    def test_a_heat_without_locks_is_reported(self):
        self.assertRaises(handler_api.NoLockAPI, Remote().find_lock)
        remote = Remote(**FREE)
        remote.error = exc.HTTPBadRequest('Invalid action lock')
        error = self.assertRaises(handler_api.NoLockAPI,
                                  remote.handle_lock, 'all')
        self.assertIn('Invalid action lock', str(error))

    def test_or_fails_the_lock_where_that_is_wanted(self):
        self.conf.config(group='heat_extras',
                         remote_heat_without_locks='fail')
        error = self.assertRaises(RuntimeError, Remote().find_lock)
        self.assertNotIsInstance(error, handler_api.NoLockAPI)
        self.assertEqual('the remote Heat has no stack locks', str(error))
