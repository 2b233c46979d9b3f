# SPDX-License-Identifier: Apache-2.0

"""Locks that were off for a while, and are on again."""

import json

from tests.functional import base
from tests.functional import templates
from tests.functional import test_stack_lock
from tests.rigs import waiting

# With it an unlock goes on to show, which has to end.
_FEATURES = '[heat_extras]\nstatus_overlay = full\nfeatures = '
_SLOW = {
    'heat_template_version': '2018-08-31',
    'parameters': {'value': {'type': 'string'},
                   'seconds': {'type': 'number', 'default': 0}},
    'resources': {
        'slow': {'type': 'OS::Heat::TestResource',
                 'properties': {'value': {'get_param': 'value'},
                                'wait_secs': {'get_param': 'seconds'}}},
        'next': {'type': 'OS::Heat::TestResource', 'depends_on': 'slow',
                 'properties': {'value': {'get_param': 'value'}}}}}


class InterludeTestCase(test_stack_lock.StackLockTestCase):
    is_shared = False
    engine = ''
    settings = _FEATURES + 'stack_lock\n'

    def switch(self, features, end=None):
        """Let the sandbox go on with other features.

        :param end: how to end it, like a crash; asked to stop unless told.
        """
        with open(self.sandbox.settings_path, 'w') as target:
            target.write(self.engine + _FEATURES + features + '\n')
        (end or self.sandbox.stop)()
        self.sandbox.start()
        self.client = self.sandbox.client()
        self.admin = self.sandbox.client('ops', 'admin', 'member')

    def check_locks(self):
        """Ask the upgrade check about locks."""
        done = self.sandbox.run('heat-extras-status', 'upgrade', 'check',
                                '--json')
        checks = json.loads(done.stdout)['checks']
        check, = [each for each in checks if each['check'] == 'Locks']
        return check['details']


class UnlockTest(InterludeTestCase):
    def test_an_unlock_is_over_with_the_next_operation(self):
        self.assert_status(200, self.lock(level='stacks'))
        self.assert_status(200, self.unlock())
        self.switch('parameters')
        self.assert_status(202, self.update())
        self.client.wait_for_stack(self.path, ['UPDATE_COMPLETE'])
        self.assertIn('UNLOCK_COMPLETE after a later operation: '
                      f'{self.name}', self.check_locks())
        self.switch('stack_lock')
        self.client.wait_for_stack(self.path, ['UPDATE_COMPLETE'])


class OtherUnlockTest(InterludeTestCase):
    def test_without_one_it_goes_on_to_show(self):
        self.assert_status(200, self.lock(level='stacks'))
        self.assert_status(200, self.unlock())
        self.switch('parameters')
        self.switch('stack_lock')
        waiting.until(
            'the engine to look',
            lambda: self.admin.get('/services').json()['services'],
            lambda services: 'up' in [each['status'] for each in services])
        self.assertEqual('UNLOCK_COMPLETE', self.client.show_stack(
            self.path)['stack_status'])


class LegacyUnlockTest(UnlockTest):
    engine = base.LEGACY
    settings = engine + InterludeTestCase.settings


class MemberTest(InterludeTestCase):
    template = templates.SCALING
    files = templates.FILES

    def nested(self):
        """Find the paths of the nested stacks."""
        answer = self.client.get('/stacks?show_nested=true')
        return {f'/stacks/{stack["stack_name"]}/{stack["id"]}': stack
                for stack in answer.json()['stacks'] if stack['parent']}

    def test_a_member_that_came_meanwhile_is_locked(self):
        self.assert_status(200, self.lock(level='all', reason='db move'))
        self.client.wait_for_lock(self.path, 'LOCK_COMPLETE')
        before = self.nested()
        self.switch('parameters')
        self.client.post(self.path + '/resources/scale_up/signal')
        waiting.until('the group to grow', self.nested, lambda nested: len(
            nested) > len(before) and all(
                stack['stack_status'].endswith('_COMPLETE')
                for stack in nested.values()))
        self.assertIn('free below a locked stack: ', self.check_locks())
        self.switch('stack_lock')
        member, = set(self.nested()) - set(before)
        waiting.until_equal('the lock of the member', 'all', lambda:
                            self.client.show_stack(member)['lock_level'])
        self.assert_refused(self.client.delete(member))
        root = self.client.show_stack(self.path)
        self.assertEqual(('LOCK_COMPLETE', 'db move'),
                         (root['stack_status'], root['lock_reason']))
        for text in (root['stack_status_reason'], self.events()[-1][2]):
            self.assertIn('1 nested stack came while locks were off', text)
        self.assert_status(200, self.unlock())
        waiting.until_equal('the locks of all', {None}, lambda: {
            self.client.show_stack(path)['lock_level']
            for path in [self.path, *self.nested()]})


class LegacyMemberTest(MemberTest):
    engine = LegacyUnlockTest.engine
    settings = LegacyUnlockTest.settings


class CutOffTest(InterludeTestCase):
    template = _SLOW
    # An engine that was killed counts as alive for some of these.
    engine = '[DEFAULT]\nperiodic_interval = 2\n'
    settings = engine + InterludeTestCase.settings

    def begin(self):
        """Begin on a locked stack while locks are off, and put them on."""
        self.assert_status(200, self.lock(level='stacks', reason='db move'))
        self.switch('parameters')
        self.assert_status(202, self.client.patch(self.path, {
            'parameters': {'value': 'two', 'seconds': 600}}))
        waiting.until('a resource to be worked on', self.resources, lambda
                      resources: any(resource['resource_status'].endswith(
                          'IN_PROGRESS') for resource in resources))
        self.assertIn(f'IN_PROGRESS although locked: {self.name}',
                      self.check_locks())
        self.switch('stack_lock', end=self.sandbox.kill)

    def resources(self):
        return self.client.get(self.path + '/resources').json()['resources']

    def test_what_was_under_way_has_failed(self):
        self.begin()
        stack = waiting.until(
            'the engine to look', lambda: self.client.show_stack(self.path),
            lambda stack: stack['prior_stack_status'] == 'UPDATE_FAILED')
        self.assertEqual(('LOCK_COMPLETE', 'db move'),
                         (stack['stack_status'], stack['lock_reason']))
        (reason,) = (reason for name, status, reason in self.events()
                     if (name, status) == (self.name, 'UPDATE_FAILED'))
        self.assertIn('Unlock the stack and repeat', reason)
        self.assertNotIn('although locked', self.check_locks())
        self.assert_refused(self.update())
        self.assert_usable()

    def assert_usable(self):
        self.assert_status(200, self.lock(level='stacks'))
        self.assert_status(200, self.unlock())
        self.assert_status(202, self.update('three'))
        # What is over is shown until the update's thread begins.
        self.client.wait_for_stack(self.path, ['UPDATE_COMPLETE'],
                                   failed='UPDATE_FAILED')
        for resource in self.resources():
            # What failed in the middle may be replaced.
            self.assertIn(resource['resource_status'],
                          ('UPDATE_COMPLETE', 'CREATE_COMPLETE'))


class LegacyCutOffTest(CutOffTest):
    engine = CutOffTest.engine + 'convergence_engine = false\n'
    settings = engine + InterludeTestCase.settings
