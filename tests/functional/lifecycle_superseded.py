# SPDX-License-Identifier: Apache-2.0

"""Tests of operations that others replace during the plugin calls."""

from tests.functional import lifecycle_base
from tests.functional import lifecycle_denials
from tests.functional import lifecycle_post_calls
from tests.functional import templates
from tests.harness import waiting

WITH_NESTED = {
    'heat_template_version': '2018-08-31',
    'resources': {'nested': {'type': 'member.yaml'}},
}


class TestCase(lifecycle_denials.TestCase):
    """tearDown asserts that no row of an operation is left."""

    def hold(self, action, seconds='8'):
        """Delay the pre call of the last plugin."""
        return self.order('slow', 'test_b', action, seconds)

    def wait_for_asked(self, stack, action):
        self.wait_for_call(stack, f'pre {action} test_b')

    def wait_for_told(self, stack, action, plugins=('test_first', 'test_a',
                                                    'test_b')):
        """Wait until each plugin has exactly one post call of a failure."""
        waiting.until_equal('who is told of a failure', list(plugins),
                            lambda: list(self.told(stack, action)))
        self.assertEqual({True}, set(self.told(stack, action).values()))

    def told(self, stack, action):
        """Return by plugin whether its post call reports a failure."""
        calls_by_id = {}
        for call in self.plugins.journal(stack):
            if (call['call'], call['action']) == ('post', action):
                self.assertNotIn(call['plugin'], calls_by_id)
                calls_by_id[call['plugin']] = call['failure']
        calls_by_id.pop('test_post', None)
        return calls_by_id

    def asked_to_update(self, name, **body):
        path = self.client.create_stack(name, templates.SMALL, **body)
        self.hold('UPDATE')
        self.client.put(path, {**lifecycle_post_calls.UPDATE, **body})
        self.wait_for_asked(name, 'UPDATE')
        return path


class Deletes(TestCase):

    def test_delete_during_pre_call_of_update(self):
        path = self.asked_to_update('overtaken')
        self.client.delete(path)
        self.wait(path, 'DELETE_COMPLETE')
        self.wait_for_told('overtaken', 'UPDATE')

    def test_delete_during_pre_call_of_create(self):
        self.hold('CREATE')
        path = self.client.create_stack('unmade', templates.SMALL,
                                        wait=False)
        self.wait_for_asked('unmade', 'CREATE')
        self.client.delete(path)
        self.wait(path, 'DELETE_COMPLETE')
        self.wait_for_told('unmade', 'CREATE')

    def test_delete_of_root_during_pre_call_of_nested_create(self):
        path = self.client.create_stack('around', templates.SMALL)
        self.hold('CREATE')
        self.client.put(path, {'template': WITH_NESTED,
                               'files': templates.FILES})
        nested = waiting.until('the nested stack', lambda: [
            call['stack'] for call in self.plugins.journal()
            if call['nested'] and call['stack'].startswith('around-')])[0]
        self.wait_for_asked(nested, 'CREATE')
        self.client.delete(path)
        self.wait(path, 'DELETE_COMPLETE')
        self.wait_for_told(nested, 'CREATE')
        self.wait_for_told('around', 'UPDATE')

    def test_delete_during_update(self):
        path = self.client.create_stack('running', templates.SMALL)
        self.client.put(path, lifecycle_post_calls.UPDATE)
        self.client.wait_for_resource(path, 'test', 'UPDATE_IN_PROGRESS')
        self.client.delete(path)
        self.wait(path, 'DELETE_COMPLETE')
        self.wait_for_told('running', 'UPDATE')


class Abandons(TestCase):
    """The legacy engine rejects an abandon during an update."""

    def test_abandon_during_pre_call_of_update(self):
        path = self.asked_to_update('given')
        self.client.delete(path + '/abandon')
        self.wait(path, 'DELETE_COMPLETE')
        self.wait_for_told('given', 'UPDATE')

    def test_denied_abandon_does_not_stop_update(self):
        path = self.asked_to_update('kept')
        self.deny('DELETE')
        self.assertEqual(409, self.client.delete(path + '/abandon')
                         .status_code)
        self.wait(path, 'UPDATE_COMPLETE')


class Kills(TestCase):
    """The legacy engine waits for a thread, and then kills it."""

    def test_delete_kills_thread_of_update(self):
        path = self.client.create_stack('killed', templates.SMALL)
        self.hold('UPDATE', '30')
        self.client.put(path, lifecycle_post_calls.UPDATE)
        self.wait_for_asked('killed', 'UPDATE')
        self.client.delete(path)
        self.wait(path, 'UPDATE_FAILED')
        # If threads can be killed, the last plugin never allows the update.
        self.wait_for_told('killed', 'UPDATE', self.asked_in_time())
        # On Heat 24 the first delete waits for its own thread for ever
        # (ThreadGroupManager.stop).
        self.client.delete(path)
        self.wait(path, 'DELETE_COMPLETE')

    def asked_in_time(self):
        passed = ('test_first', 'test_a')
        return passed if lifecycle_base.has_green_threads() else (
            *passed, 'test_b')
