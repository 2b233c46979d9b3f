# SPDX-License-Identifier: Apache-2.0

"""What resource bodies say of the lock."""

from unittest import mock

from oslo_config import cfg
from oslo_config import fixture as config_fixture
import testtools

from heat_extras import conf
from heat_extras.stack_lock import resource_fields
from heat_extras.stack_lock.resource_locks import protection_states
from heat_extras.stack_lock.resource_locks import protection_table
from heat_extras.stack_lock.resource_locks import report
from tests.unit.stack_lock.resource_locks import fakes


class CoverageTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.conf = self.useFixture(config_fixture.Config(cfg.CONF))
        conf.register_opts(cfg.CONF)
        self.conf.config(group='heat_extras', status_overlay='locked')
        self.rows = {}
        patcher = mock.patch.object(protection_table, 'read_stacks',
                                    return_value=self.rows)
        self.query = patcher.start()
        self.addCleanup(patcher.stop)

    def shown(self, state=None, reason=None, lock_status='COMPLETE',
              is_locked=True, physical='physical', lock_action='LOCK',
              level='all'):
        """Return what a resource's body says, beside what Heat says."""
        if state:
            self.rows[7] = mock.Mock(
                stack_id='a', resource_name='server',
                physical_resource_id='physical', state=state, reason=reason,
                lock_status=lock_status, lock_action=lock_action,
                lock_level=level)
        info = {'stack_identity': {'stack_id': 'a'},
                'resource_name': 'server', 'resource_action': 'CREATE',
                'resource_status': 'COMPLETE',
                'physical_resource_id': physical}
        if is_locked:
            resource_fields.add_empty_fields(info)
        body, = resource_fields.fill_fields(None, [info])
        return (body['lock_protection'], body['resource_action'],
                body['resource_status'], body['lock_protection_reason'])

    def test_an_unlocked_stack_costs_no_query(self):
        self.assertEqual((None, 'CREATE', 'COMPLETE', None),
                         self.shown(is_locked=False))
        self.query.assert_not_called()

    def test_only_what_has_a_lock_shows_it_as_its_status(self):
        for state, status in (
                (protection_states.PROTECTED, ('LOCK', 'COMPLETE')),
                (protection_states.FOUND, ('LOCK', 'COMPLETE')),
                (protection_states.FAILED, ('LOCK', 'FAILED')),
                (protection_states.NO_API, ('CREATE', 'COMPLETE'))):
            self.assertEqual((state, *status, 'why'),
                             self.shown(state, 'why'))

    def test_what_it_replaces_is_another_one(self):
        self.assertEqual((None, 'CREATE', 'COMPLETE', None),
                         self.shown(protection_states.PROTECTED,
                                    physical='other'))

    def test_what_is_being_asked_is_in_progress(self):
        self.assertEqual((None, 'LOCK', 'IN_PROGRESS', None),
                         self.shown(protection_states.LOCKING,
                                    lock_status='IN_PROGRESS'))

    def test_what_is_not_known_after_a_crash_is_failed(self):
        self.assertEqual(('failed', 'LOCK', 'FAILED', None),
                         self.shown(protection_states.LOCKING,
                                    lock_status='FAILED'))

    def test_what_an_unlock_asks_about_is_in_progress(self):
        for status, protection in ('IN_PROGRESS', None), ('FAILED', 'failed'):
            self.assertEqual(
                (protection, 'UNLOCK', status, None),
                self.shown(protection_states.LOCKING, lock_status=status,
                           lock_action='UNLOCK'))

    def test_a_change_of_level_releases(self):
        for state, protection in ((protection_states.LOCKING, 'failed'),
                                  (protection_states.PROTECTED, 'protected')):
            self.assertEqual((protection, 'UNLOCK', 'FAILED', None),
                             self.shown(state, lock_status='FAILED',
                                        level='stacks'))

    def test_what_was_released_shows_it_until_the_stack_does_not(self):
        self.conf.config(group='heat_extras', status_overlay='full')
        for action, shown in (('UNLOCK', ('UNLOCK', 'COMPLETE')),
                              ('LOCK', ('CREATE', 'COMPLETE')),
                              (None, ('CREATE', 'COMPLETE'))):
            self.assertEqual(
                (None, *shown, None), self.shown(
                    protection_states.RELEASED, lock_action=action,
                    level='stacks' if action == 'LOCK' else None))

    def test_so_does_what_was_not_released(self):
        self.conf.config(group='heat_extras', status_overlay='full')
        self.assertEqual(
            ('not_released', 'UNLOCK', 'FAILED', 'jammed'), self.shown(
                protection_states.NOT_RELEASED, 'jammed', lock_action='UNLOCK',
                level=None))

    def test_no_lock_state_where_the_overlay_is_off(self):
        self.conf.config(group='heat_extras', status_overlay='off')
        self.assertEqual(('protected', 'CREATE', 'COMPLETE', None),
                         self.shown(protection_states.PROTECTED))


class DryRunTest(testtools.TestCase):
    def test_level_stacks_asks_no_service(self):
        self.assertEqual({'lock': {'level': 'stacks', 'resources': []}},
                         resource_fields.dry_run(None, mock.Mock(), 'stacks'))

    def test_every_resource_is_described(self):
        resource = fakes.Resource()
        protection_report = report.Report(
            {resource: (protection_states.FOUND, 'bob has')}, [resource.stack])
        with mock.patch.object(resource_fields.lock_resources, 'dry_run',
                               return_value=protection_report), \
                mock.patch.object(resource_fields, '_stack_ids'):
            answer = resource_fields.dry_run(None, mock.Mock(), 'all')
        self.assertEqual({'lock': {'level': 'all', 'resources': [{
            'resource_name': 'server', 'resource_type': 'OS::Test::Thing',
            'stack_name': 'web', 'physical_resource_id': 'physical-server',
            'lock_protection': 'found_protected',
            'lock_protection_reason': 'bob has'}]}}, answer)
