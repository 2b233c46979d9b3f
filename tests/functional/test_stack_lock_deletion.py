# SPDX-License-Identifier: Apache-2.0

"""Tests of deleting a stack after a failed lock."""

import threading

from tests.functional import base
from tests.functional import lifecycle_base
from tests.functional import lockable_resources

_TABLES = ('heat_extras_protection', 'heat_extras_ignored_signal')


class DeletionTest(lockable_resources.TestCase):
    doors = {'one': 'Door', 'two': 'Door', 'gate': 'Gate'}

    @classmethod
    def setUpClass(cls):
        cls.plugins = cls.use_in_class(lifecycle_base.Plugins())
        super().setUpClass()

    def make_template(self):
        template = super().make_template()
        # A policy rule allows this type for administrators only.
        template['resources']['rights'] = {'type': 'OS::Nova::Flavor'}
        template['resources']['policy'] = {
            'type': 'OS::Heat::TestResource',
            'properties': {'value': 'x'}}
        return template

    def create(self):
        return self.admin.create_stack(
            self.name, self.template, environment={'resource_registry': {
                'OS::Nova::Flavor': 'OS::Heat::RandomString'}})

    def setUp(self):
        super().setUp()
        self.lock_fails()

    def lock_fails(self, client=None):
        self.assert_status(200, self.lock(client, level='all'))
        self._wait(self.path, 'LOCK_COMPLETE')
        self.assert_status(200, self.client.post(
            f'{self.path}/resources/policy/signal', {}))
        self.sandbox.sql('UPDATE heat_extras_guard SET status = ? '
                         'WHERE stack_id = ?', 'FAILED',
                         self.path.rpartition('/')[2])

    def picture(self):
        """Return everything that a rejected delete must not change."""
        stack_id = self.path.rpartition('/')[2]
        return (self.client.show_stack(self.path),
                self.client.get(self.path + '/resources').json(),
                self.events(), self.states(),
                [self.sandbox.sql(f'SELECT * FROM {table} WHERE stack_id = ? '
                                  'ORDER BY 1, 2', stack_id)
                 for table in _TABLES],
                self.sandbox.sql('SELECT id FROM raw_template'))

    def assert_nothing_happens(self, status, *texts, client=None):
        before = self.picture()
        answer = self.assert_status(status, (
            client or self.client).delete(self.path))
        for text in texts:
            self.assertIn(text, answer.text)
        self.assertEqual(before, self.picture())
        self.assertEqual('LOCK_FAILED', before[0]['lock_status'])

    def order(self, name, *arguments):
        if not arguments:
            return super().order(name)
        path = self.plugins.order(name, *arguments)
        self.addCleanup(path.unlink)

    def calls_of(self, action, plugin='test_b'):
        return [(call['call'], call.get('failure'))
                for call in self.plugins.journal(self.name)
                if (call['action'], call['plugin']) == (action, plugin)]

    def test_delete_is_rejected_by_policy_rule(self):
        self.assert_nothing_happens(403)
        self.assertEqual([], self.calls_of('UNLOCK'))

    def test_delete_is_denied_by_plugin(self):
        self.order('deny', 'test_b', 'DELETE', 'audit')
        self.assert_nothing_happens(
            409, 'DELETE denied by lifecycle plugin test_b: audit',
            client=self.admin)
        self.assertEqual([('pre', None), ('post', True)],
                         self.calls_of('DELETE', 'test_a'))
        self.assertEqual([('pre', None), ('post', True)],
                         self.calls_of('UNLOCK'))

    def test_unlock_is_denied_by_plugin(self):
        self.order('deny', 'test_b', 'UNLOCK', 'audit')
        self.assert_nothing_happens(
            409, 'UNLOCK denied by lifecycle plugin test_b: audit',
            client=self.admin)
        self.assertEqual([], self.calls_of('DELETE'))

    def test_delete_is_rejected_if_release_fails(self):
        self.order(f'jammed {self.ids["two"]}')
        answer = self.assert_status(409, self.admin.delete(self.path))
        for text in ('cannot be deleted', 'could not be released',
                     'the door is jammed', '--ignore-failures'):
            self.assertIn(text, answer.text)
        shown = self.client.show_stack(self.path)
        self.assertEqual(('UNLOCK_FAILED', 'all'),
                         (shown['lock_status'], shown['lock_level']))
        self.assertEqual([('pre', None), ('post', True)],
                         self.calls_of('DELETE', 'test_a'))
        (self.place / f'jammed {self.ids["two"]}').unlink()
        self.assert_status(204, self.admin.delete(self.path))
        self.client.wait_for_stack(self.path, ['DELETE_COMPLETE'])

    def test_delete_requires_override_for_administrator_lock(self):
        self.assert_status(200, self.unlock())
        self._wait(self.path, 'UNLOCK_COMPLETE')
        self.lock_fails(self.admin)
        self.assert_nothing_happens(403)

    def test_delete_unlocks_and_deletes_stack(self):
        self.assert_status(204, self.admin.delete(self.path))
        self.assertIn(self.client.show_stack(self.path)['stack_status'],
                      ('DELETE_IN_PROGRESS', 'DELETE_COMPLETE'))
        self.client.wait_for_stack(self.path, ['DELETE_COMPLETE'])
        self.assertEqual({}, self.states())
        for action in ('UNLOCK', 'DELETE'):
            self.plugins.wait_for(self.name, f'post {action}')
            self.assertEqual([('pre', None), ('post', False)],
                             self.calls_of(action))
        stack_id = self.path.rpartition('/')[2]
        for table in _TABLES:
            self.assertEqual([], self.sandbox.sql(
                f'SELECT * FROM {table} WHERE stack_id = ?', stack_id))
        events = self.sandbox.sql(
            'SELECT resource_name, resource_status_reason FROM event WHERE '
            "stack_id = ? AND resource_action = 'UNLOCK' AND "
            "resource_status = 'COMPLETE'", stack_id)
        self.assertEqual({self.name, *self.doors}, {name for name,
                                                    _ in events})
        self.assertIn('1 signal was ignored', dict(events)[self.name])

    def test_reset_lock_stops_delete(self):
        go_on = self.hold_up('unlock')
        calls = len(self.calls())
        answers = []
        thread = threading.Thread(target=lambda: answers.append(
            self.admin.delete(self.path)))
        thread.start()
        self.wait_for_calls(calls + 1)
        self.assertEqual(409, self.admin.delete(self.path).status_code)
        self.assertEqual(0, self.manage(
            'reset-lock', self.path.rpartition('/')[2]).returncode)
        self.hurry('unlock')
        go_on()
        thread.join()
        self.assert_status(409, answers[0])
        self.assertIn('cannot be deleted', answers[0].text)
        self._wait(self.path, 'UNLOCK_FAILED')


class LegacyDeletionTest(DeletionTest):
    settings = lockable_resources.SETTINGS + base.LEGACY
