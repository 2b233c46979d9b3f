# SPDX-License-Identifier: Apache-2.0

"""A lock between Heat's check of a stack and Heat's write.

Each operation is held after it has loaded the unlocked stack, the stack is
locked meanwhile, and the operation goes on: the windows that Heat leaves
open between its own check and its write. One class runs the same with the
guards taken out, and must see the operation go through: the tests are known
to see.
"""

import concurrent.futures
import os
import time

import fixtures

from tests.functional import base
from tests.functional import templates
from tests.functional import test_stack_lock
from tests.harness import environment
from tests.harness import waiting

HERE = os.path.dirname(os.path.abspath(__file__))


class WindowTestCase(test_stack_lock.StackLockTestCase):
    variables = {}
    is_shared = False

    @classmethod
    def setUpClass(cls):
        cls.directory = cls.use_in_class(fixtures.TempDir())
        with environment.Environment(
                os.path.join(HERE, 'race_windows'),
                HEAT_EXTRAS_WINDOWS=cls.directory.path, **cls.variables):
            super().setUpClass()

    def setUp(self):
        super().setUp()
        self._snapshot()

    def _snapshot(self):
        answer = self.client.post(self.path + '/snapshots', {'name': 'one'})
        self.snapshot = self.assert_status(200, answer).json()['id']
        self.client.wait_for_stack(self.path, ['SNAPSHOT_COMPLETE'])

    def state(self):
        """Return the state that must not change while the stack is locked."""
        stack = self.client.show_stack(self.path)
        return (stack['stack_status'], stack['parameters'],
                stack['outputs'], stack['updated_time'],
                self.client.get(self.path + '/resources').json(),
                self.client.get(self.path + '/template').json(),
                self.client.get(self.path + '/snapshots').json(),
                self.events())

    def _path(self, name):
        return os.path.join(self.directory.path, name)

    def lock_in_the_window(self, operation):
        """Run an operation with a lock in its window.

        :returns: its answer, and the state right after the lock.
        """
        with open(self._path('hold'), 'w'):
            pass
        try:
            with concurrent.futures.ThreadPoolExecutor(1) as pool:
                answer = pool.submit(operation)
                self._wait_for('held')
                self.assert_status(200, self.lock(level='stacks'))
                before = self.state()
                os.remove(self._path('hold'))
                return answer.result(120), before
        finally:
            for name in ('hold', 'held'):
                if os.path.exists(self._path(name)):
                    os.remove(self._path(name))

    def _wait_for(self, name):
        waiting.until(f'an operation in its window ({name})',
                      lambda: os.listdir(self.directory.path),
                      lambda names: name in names)

    def operations(self):
        """Every operation that a lock refuses, by name."""
        snapshots = self.path + '/snapshots'
        return {
            'update': self.update,
            'patch': lambda: self.client.patch(
                self.path, {'parameters': {'value': 'two'}}),
            'delete': lambda: self.client.delete(self.path),
            'abandon': lambda: self.client.delete(self.path + '/abandon'),
            'suspend': lambda: self.action('suspend'),
            'check': lambda: self.action('check'),
            'snapshot': lambda: self.client.post(snapshots,
                                                 {'name': 'two'}),
            'snapshot delete': lambda: self.client.delete(
                f'{snapshots}/{self.snapshot}'),
            'restore': lambda: self.client.post(
                f'{snapshots}/{self.snapshot}/restore'),
            'mark unhealthy': lambda: self.client.patch(
                self.path + '/resources/text', {'mark_unhealthy': True})}


class WindowTest(WindowTestCase):
    def _refused(self, name):
        answer, before = self.lock_in_the_window(self.operations()[name])
        self.assert_refused(answer)
        # Changes made by a thread are visible by then.
        time.sleep(1)
        self.assertEqual(before, self.state())
        self.assert_status(200, self.unlock())
        self.assert_status(202, self.update('three'))
        self.client.wait_for_stack(self.path, ['UPDATE_COMPLETE'])

    def test_update(self):
        self._refused('update')

    def test_patch(self):
        self._refused('patch')

    def test_update_by_other_user_replaces_no_credentials(self):
        bob = self.sandbox.client('bob')
        stack_id = self.path.rpartition('/')[2]
        credentials = 'SELECT user_creds_id FROM stack WHERE id = ?'
        before = self.sandbox.sql(credentials, stack_id)
        answer, _ = self.lock_in_the_window(lambda: bob.patch(
            self.path, {'parameters': {'value': 'two'}}))
        self.assert_refused(answer)
        self.assertEqual(before, self.sandbox.sql(credentials, stack_id))

    def test_delete(self):
        self._refused('delete')

    def test_abandon(self):
        self._refused('abandon')

    def test_suspend(self):
        self._refused('suspend')

    def test_check(self):
        self._refused('check')

    def test_snapshot(self):
        self._refused('snapshot')

    def test_restore(self):
        self._refused('restore')

    def test_mark_unhealthy(self):
        self._refused('mark unhealthy')


class SnapshotDeleteTest(WindowTestCase):
    def test_snapshot_delete(self):
        """Heat 24 and 25 delete it in a thread, after their answer."""
        _, before = self.lock_in_the_window(
            self.operations()['snapshot delete'])
        time.sleep(1)
        self.assertEqual(before, self.state())


class SignalTestCase(WindowTestCase):
    template = templates.SCALING
    files = templates.FILES

    def _snapshot(self):
        """Take none: after one, Heat's policies no longer find the group."""

    def members(self):
        return self.client.get(
            self.path + '/resources?nested_depth=2').json()['resources']

    def metadata(self):
        """What Heat keeps of the scaling of the group."""
        return self.client.get(
            self.path + '/resources/group/metadata').json()['metadata']

    def events_of(self, name):
        return [event for event in self.events() if event[0] == name]

    def signal_in_the_window(self):
        """Scale up, with a lock between the signal's check and its act."""
        self.lock_in_the_window(lambda: self.client.post(
            self.path + '/resources/scale_up/signal'))

    def wait_for_more_than(self, before):
        waiting.until('the group to grow', self.members,
                      lambda members: len(members) > len(before))


class SignalTest(SignalTestCase):
    """Heat resizes the group in a thread, after its answer."""

    def test_signal(self):
        before = self.members(), self.metadata()
        self.signal_in_the_window()
        self._wait_for_ignored_signal()
        self.assertEqual(before, (self.members(), self.metadata()))
        self.assertEqual([], [event for event in self.events()
                              if event[1].endswith('FAILED')])
        self.assert_status(200, self.unlock())
        self.assertIn('1 signal was ignored', self.events()[-1][2])
        self.client.post(self.path + '/resources/scale_up/signal')
        self.wait_for_more_than(before[0])

    def _wait_for_ignored_signal(self):
        waiting.until(
            'the ignored signal', lambda: self.events_of('scale_up'),
            lambda events: any('Signal ignored' in each[2]
                               for each in events))


class PolicyWindowTest(WindowTestCase):
    template = {**templates.SMALL, 'resources': {
        **templates.SMALL['resources'],
        'kept': {'type': 'OS::Heat::TestResource',
                 'properties': {'value': {'get_param': 'value'}},
                 'update_policy': {'allow': {'update': False}}}}}

    def test_lock_rejects_update_that_policy_rejects_as_well(self):
        answer, before = self.lock_in_the_window(self.update)
        self.assert_refused(answer)
        self.assertEqual(before, self.state())


class ScalingNotFinishedTest(SignalTest):
    """The engine is killed before it records the end of the scaling."""

    variables = {'HEAT_EXTRAS_SCALING_STUCK': '1'}


class LegacySignalTest(ScalingNotFinishedTest):
    settings = base.LEGACY


class LegacyWindowTest(WindowTest):
    settings = base.LEGACY


class FailsWhenUnprotectedTest(WindowTestCase):
    """Without the guards, the operations are performed."""

    variables = {'HEAT_EXTRAS_WITHOUT_FENCE': '1'}

    def _goes_through(self, name):
        answer, before = self.lock_in_the_window(self.operations()[name])
        self.assertLess(answer.status_code, 300, answer.text)
        # If it changes nothing, the test of the guards proves nothing.
        waiting.until(f'{name} to change something without the guards',
                      lambda: self._differs(before))

    def _differs(self, before):
        try:
            return before != self.state()
        except (AssertionError, KeyError):
            # The stack is gone, or not locked any more.
            return True

    def test_update(self):
        self._goes_through('update')

    def test_delete(self):
        self._goes_through('delete')

    def test_suspend(self):
        self._goes_through('suspend')

    def test_snapshot(self):
        self._goes_through('snapshot')

    def test_mark_unhealthy(self):
        self._goes_through('mark unhealthy')


class SignalFailsWhenUnprotectedTest(SignalTestCase):
    """Without the guards, the group grows although the stack is locked."""

    variables = FailsWhenUnprotectedTest.variables

    def test_signal(self):
        before = self.members()
        self.signal_in_the_window()
        self.wait_for_more_than(before)


class LegacyFailsWhenUnprotectedTest(FailsWhenUnprotectedTest):
    settings = LegacyWindowTest.settings
