# SPDX-License-Identifier: Apache-2.0

"""Level ``all`` after an update that could not delete replaced resources."""

import copy

import testtools

from tests.functional import base
from tests.functional import lockable_resources


def _last(*before, fail=False):
    # Its dependencies are deleted after its update.
    return {'type': 'OS::Heat::TestResource', 'depends_on': list(before),
            'properties': {'value': 'x', 'fail': fail}}


class ReplacedTest(lockable_resources.TestCase):
    doors = {'a': 'Door', 'gone': 'Door'}

    def setUp(self):
        super().setUp()
        smaller = copy.deepcopy(self.template)
        del smaller['resources']['gone']
        smaller['resources'].update(a=self.door(name='new'),
                                    last=_last('a', fail=True))
        self.assert_status(202, self.client.put(self.path, {
            'template': smaller, 'disable_rollback': True}))
        with testtools.ExpectedException(AssertionError, '.*UPDATE_FAILED'):
            self.client.wait_for_stack(self.path, ['UPDATE_COMPLETE'])

    def make_template(self):
        template = super().make_template()
        template['resources']['last'] = _last('a', 'gone')
        return template

    def assert_all(self, state):
        self.assertEqual([state] * 3, list(self.states().values()))

    def test_old_and_new_resource_are_protected_and_released(self):
        self.assert_all('open')
        self._locked()
        self.assert_all('bolted by heat')
        self.assertEqual({'a', 'gone', self.name}, {
            name for name, status, _ in self.events()
            if status == 'LOCK_COMPLETE'})
        self._unlocked()
        self.assert_all('open')

    def test_old_and_new_resource_are_reported(self):
        wanted = dict.fromkeys(self.states(), 'protected')
        lock = self.lock(level='all', dry_run=True).json()['lock']
        self.assertEqual(wanted, {
            each['physical_resource_id']: each['lock_protection']
            for each in lock['resources']
            if each['resource_type'] == 'Test::Door'})
        self._locked()
        status, report = self.verified()
        self.assertEqual((0, wanted), (status, {
            each['physical_resource_id']: each['found'] for each in report}))
        guards = self.client.get(self.path + '/guards').json()['guards']
        self.assertEqual(set(wanted), {
            each['reason'].split(' ')[0] for each in guards
            if each['kind'] == 'protection'})
        self.assertEqual('protected', self._protection('a')[0])

    def test_verify_reports_resource_released_by_others(self):
        old = self.ids['a']
        self._locked()
        (self.place / old).write_text('open')
        status, report = self.verified()
        self.assertEqual((1, {old: 'not_protected'}), (status, {
            each['physical_resource_id']: each['found'] for each in report
            if each['found'] != 'protected'}))

    def test_lock_failure_reports_number_of_resources(self):
        self.order('jammed')
        stack = self._locked(status='LOCK_FAILED')
        self.assertIn('3 of 4 resources could not be protected',
                      stack['lock_status_reason'])


class LegacyReplacedTest(ReplacedTest):
    settings = lockable_resources.SETTINGS + base.LEGACY
