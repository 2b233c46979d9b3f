# SPDX-License-Identifier: Apache-2.0

"""Locks that were disabled for some time, and are enabled again."""

import json

from tests.functional import base
from tests.functional import templates
from tests.functional import test_stack_lock
from tests.harness import waiting

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


_SCALE_UP = templates.SCALING['resources']['scale_up']
_BOTH_WAYS = {**templates.SCALING, 'resources': {
    **templates.SCALING['resources'], 'scale_down': {
        **_SCALE_UP, 'properties': {**_SCALE_UP['properties'],
                                    'scaling_adjustment': -1}}}}


class EnabledAgainTestCase(test_stack_lock.StackLockTestCase):
    is_shared = False
    engine = ''
    settings = _FEATURES + 'stack_lock\n'
    # An engine with other features reports itself, without any it does not.
    without = 'parameters'

    def switch(self, features, end=None):
        """Restart the sandbox with other features.

        :param end: how to end it, for example by a kill; default: stop.
        """
        with open(self.sandbox.settings_path, 'w') as target:
            target.write(self.engine + _FEATURES + features + '\n')
        (end or self.sandbox.stop)()
        self.sandbox.start()
        self.client = self.sandbox.client()
        self.admin = self.sandbox.client('ops', 'admin', 'member')

    def check_locks(self):
        """Return the result of the upgrade check about locks."""
        done = self.sandbox.run('heat-extras-status', 'upgrade', 'check',
                                '--json')
        checks = json.loads(done.stdout)['checks']
        check, = [each for each in checks if each['check'] == 'Locks']
        return check['details']

    def assert_found_changed(self):
        self.assertIn('not completely locked, because they were changed while '
                      f'stack_lock was disabled: {self.name}',
                      self.check_locks())

    def wait_until_locked(self, level, paths):
        """Wait until the same lock is in effect on each stack."""
        waiting.until_equal(
            'the lock of all', {(level, 'LOCK_COMPLETE', None)}, lambda: {
                (stack['lock_level'], stack['lock_status'],
                 stack['lock_pass'] and stack['lock_pass']['reason'])
                for stack in map(self.client.show_stack, paths())})

    def assert_locked(self):
        self.assert_refused(self.update())
        self.assert_refused(self.client.delete(self.path))


class GroupMemberTest(EnabledAgainTestCase):
    template = templates.SCALING
    files = templates.FILES

    def nested(self):
        """Find the paths of the nested stacks."""
        answer = self.client.get('/stacks?show_nested=true')
        return {f'/stacks/{stack["stack_name"]}/{stack["id"]}': stack
                for stack in answer.json()['stacks'] if stack['parent']}

    def tree(self):
        return [self.path, *self.nested()]

    def scale(self, before, policy='scale_up'):
        """Scale the group, and wait for the end."""
        self.client.post(f'{self.path}/resources/{policy}/signal')
        waiting.until('the group to change', self.nested, lambda nested: len(
            nested) != len(before) and all(
                stack['stack_status'].endswith('_COMPLETE')
                for stack in nested.values()))

    def test_whole_stack_tree_is_locked_again(self):
        self.assert_status(200, self.lock(level='all', reason='db move'))
        self.client.wait_for_lock(self.path, 'LOCK_COMPLETE')
        before = self.nested()
        self.switch(self.without)
        self.scale(before)
        member, = set(self.nested()) - set(before)
        self.assert_found_changed()
        self.switch('stack_lock')
        self.assert_refused(self.client.delete(member))
        self.wait_until_locked('all', self.tree)
        self.assertNotIn('Changed', self.check_locks())
        self.assert_locked()
        self.assert_refused(self.client.delete(member))
        self.assertEqual('db move', self.client.show_stack(
            self.path)['lock_reason'])
        self.assert_ignored()
        self.assert_status(200, self.unlock())
        waiting.until_equal('the locks of all', {None}, lambda: {
            self.client.show_stack(path)['lock_level']
            for path in self.tree()})
        self.scale(self.nested())

    def assert_ignored(self):
        nested = set(self.nested())
        self.assert_status(200, self.client.post(
            f'{self.path}/resources/scale_up/signal'))
        self.assertIn('ignored', ' '.join(
            reason for _, _, reason in self.events()))
        self.assertEqual(nested, set(self.nested()))


class LegacyGroupMemberTest(GroupMemberTest):
    engine = base.LEGACY
    settings = engine + EnabledAgainTestCase.settings


class WithoutFeaturesGroupMemberTest(GroupMemberTest):
    without = ''


class UpdatedGroupTest(GroupMemberTest):
    """A stack that was updated, or lost a member, is locked again."""
    template = _BOTH_WAYS

    def test_whole_stack_tree_is_locked_again(self):
        self.scale(self.nested())
        self.assert_status(200, self.lock(level='stacks'))
        self.switch(self.without)
        self.scale(self.nested(), 'scale_down')
        self.assert_status(202, self.update())
        self.client.wait_for_stack(self.path, ['UPDATE_COMPLETE'])
        self.switch('stack_lock')
        self.wait_until_locked('stacks', self.tree)
        self.assert_locked()
        self.assert_ignored()
        self.assert_status(200, self.unlock())
        self.assert_status(202, self.client.patch(self.path, {}))


class InterruptedUpdateTest(EnabledAgainTestCase):
    template = _SLOW
    # A killed engine is considered up for some of these intervals.
    engine = '[DEFAULT]\nperiodic_interval = 2\n'
    settings = engine + EnabledAgainTestCase.settings

    def begin(self):
        """Start an update of a locked stack while disabled, then enable."""
        self.assert_status(200, self.lock(level='stacks', reason='db move'))
        self.switch(self.without)
        self.assert_status(202, self.client.patch(self.path, {
            'parameters': {'value': 'two', 'seconds': 600}}))
        waiting.until('a resource to be worked on', self.resources, lambda
                      resources: any(resource['resource_status'].endswith(
                          'IN_PROGRESS') for resource in resources))
        self.assert_found_changed()
        self.switch('stack_lock', end=self.sandbox.kill)

    def resources(self):
        return self.client.get(self.path + '/resources').json()['resources']

    def own_status(self):
        stack = self.client.show_stack(self.path)
        return stack.get('prior_stack_status') or stack['stack_status']

    def test_stack_is_locked_again_and_can_be_unlocked(self):
        self.begin()
        stack = self.client.show_stack(self.path)
        self.assertEqual(('stacks', 'LOCK_COMPLETE', 'db move'), (
            stack['lock_level'], stack['lock_status'], stack['lock_reason']))
        self.assert_locked()
        self.assertNotIn('Changed', self.check_locks())
        self.assert_ended()
        self.assert_status(200, self.unlock())
        self.assert_status(202, self.update('three'))
        # The earlier status is shown until the thread of the update starts.
        self.client.wait_for_stack(self.path, ['UPDATE_COMPLETE'],
                                   failed='UPDATE_FAILED')
        for resource in self.resources():
            # A resource whose update failed may be replaced.
            self.assertIn(resource['resource_status'],
                          ('UPDATE_COMPLETE', 'CREATE_COMPLETE'))

    def assert_ended(self):
        """Heat leaves the stack IN_PROGRESS."""
        self.assertEqual('UPDATE_IN_PROGRESS', self.own_status())
        self.assertIn('was disabled', self.client.show_stack(
            self.path)['lock_pass']['reason'])


class CanceledUpdateTest(InterruptedUpdateTest):
    def assert_ended(self):
        """A user who may unlock the stack may cancel it instead."""
        self.assert_status(200, self.client.post(
            self.path + '/actions', {'cancel_without_rollback': None}))
        self.wait_until_locked('stacks', lambda: [self.path])
        self.assertEqual('UPDATE_FAILED', self.own_status())
        self.assert_locked()


class LegacyInterruptedUpdateTest(InterruptedUpdateTest):
    engine = InterruptedUpdateTest.engine + 'convergence_engine = false\n'
    settings = engine + EnabledAgainTestCase.settings

    def assert_ended(self):
        """Heat sets the stack to FAILED when an engine starts."""
        self.wait_until_locked('stacks', lambda: [self.path])
        self.assertEqual('UPDATE_FAILED', self.own_status())
        self.assert_locked()


class LegacyWithoutFeaturesUpdateTest(LegacyInterruptedUpdateTest):
    without = ''
