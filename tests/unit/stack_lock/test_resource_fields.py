# SPDX-License-Identifier: Apache-2.0

"""The lock in the bodies of resources."""

from unittest import mock

from oslo_config import cfg
from oslo_config import fixture as config_fixture
import testtools

from heat_extras import conf
from heat_extras.heat_internals import object_data
from heat_extras.stack_lock import resource_fields
from heat_extras.stack_lock.resource_locks import report
from heat_extras.stack_lock.resource_locks import resource_states
from heat_extras.stack_lock.resource_locks import resource_table
from tests.unit.stack_lock.resource_locks import fakes


class ResourceFieldsTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.conf = self.useFixture(config_fixture.Config(cfg.CONF))
        conf.register_opts(cfg.CONF)
        self.conf.config(group='heat_extras', status_overlay='full')
        self.rows = {}
        patcher = mock.patch.object(resource_table, 'read_stacks',
                                    return_value=self.rows)
        self.query = patcher.start()
        self.addCleanup(patcher.stop)

    def shown(self, state=None, reason=None, lock_status='COMPLETE',
              is_locked=True, physical='physical', lock_action='LOCK',
              level='all'):
        """Return the fields of a lock and the status in a resource's body."""
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
            resource_fields.mark_locked(info, mock.Mock(
                stack=mock.Mock(heat_extras=object_data.StackData(
                    columns=mock.Mock(lock_id='a1')))))
        body, = resource_fields.fill_fields(None, [info])
        return (body['lock_protection'], body['resource_action'],
                body['resource_status'], body['lock_protection_reason'])

    def test_unlocked_stack_needs_no_query(self):
        self.assertEqual((None, 'CREATE', 'COMPLETE', None),
                         self.shown(is_locked=False))
        self.query.assert_not_called()

    def test_only_resource_with_lock_has_lock_status(self):
        for state, status in (
                (resource_states.PROTECTED, ('LOCK', 'COMPLETE')),
                (resource_states.FOUND, ('LOCK', 'COMPLETE')),
                (resource_states.FAILED, ('LOCK', 'FAILED')),
                (resource_states.NO_API, ('CREATE', 'COMPLETE'))):
            self.assertEqual((state, *status, 'why'),
                             self.shown(state, 'why'))

    def test_protection_of_replaced_resource_is_not_shown(self):
        self.assertEqual((None, 'CREATE', 'COMPLETE', None),
                         self.shown(resource_states.PROTECTED,
                                    physical='other'))

    def test_resource_being_locked_is_in_progress(self):
        self.assertEqual((None, 'LOCK', 'IN_PROGRESS', None),
                         self.shown(resource_states.LOCKING,
                                    lock_status='IN_PROGRESS'))

    def test_unknown_protection_of_failed_lock_is_failed(self):
        self.assertEqual(('failed', 'LOCK', 'FAILED', None),
                         self.shown(resource_states.LOCKING,
                                    lock_status='FAILED'))

    def test_resource_being_unlocked_is_in_progress_or_failed(self):
        for status, protection in ('IN_PROGRESS', None), ('FAILED', 'failed'):
            self.assertEqual(
                (protection, 'UNLOCK', status, None),
                self.shown(resource_states.LOCKING, lock_status=status,
                           lock_action='UNLOCK'))

    def test_failed_level_change_is_shown_as_failed_unlock(self):
        for state, protection in ((resource_states.LOCKING, 'failed'),
                                  (resource_states.PROTECTED, 'protected')):
            self.assertEqual((protection, 'UNLOCK', 'FAILED', None),
                             self.shown(state, lock_status='FAILED',
                                        level='stacks'))

    def test_released_resource_shows_unlock_while_stack_does(self):
        for action, shown in (('UNLOCK', ('UNLOCK', 'COMPLETE')),
                              ('LOCK', ('CREATE', 'COMPLETE')),
                              (None, ('CREATE', 'COMPLETE'))):
            self.assertEqual(
                (None, *shown, None), self.shown(
                    resource_states.RELEASED, lock_action=action,
                    level='stacks' if action == 'LOCK' else None))

    def test_resource_that_was_not_released_shows_failed_unlock(self):
        self.assertEqual(
            ('not_released', 'UNLOCK', 'FAILED', 'jammed'), self.shown(
                resource_states.NOT_RELEASED, 'jammed', lock_action='UNLOCK',
                level=None))

    def test_lock_status_is_not_shown_without_overlay(self):
        self.conf.config(group='heat_extras', status_overlay='off')
        self.assertEqual(('protected', 'CREATE', 'COMPLETE', None),
                         self.shown(resource_states.PROTECTED))


class DryRunTest(testtools.TestCase):
    def test_dry_run_of_level_stacks_lists_no_resources(self):
        self.assertEqual({'lock': {'level': 'stacks', 'resources': []}},
                         resource_fields.dry_run(None, mock.Mock(), 'stacks'))

    def test_dry_run_of_level_all_describes_every_resource(self):
        resource = fakes.Resource()
        protection_report = report.Report(
            {resource: (resource_states.FOUND, 'bob has')}, [resource.stack])
        with mock.patch.object(resource_fields.lock_resources, 'dry_run',
                               return_value=protection_report), \
                mock.patch.object(resource_fields, '_stack_ids'):
            answer = resource_fields.dry_run(None, mock.Mock(), 'all')
        self.assertEqual({'lock': {'level': 'all', 'resources': [{
            'resource_name': 'server', 'resource_type': 'OS::Test::Thing',
            'stack_name': 'web', 'physical_resource_id': 'physical-server',
            'lock_protection': 'found_protected',
            'lock_protection_reason': 'bob has'}]}}, answer)
