# SPDX-License-Identifier: Apache-2.0

"""Tests of plugins that raise a BaseException other than Exception."""

from tests.functional import lifecycle_actions
from tests.functional import lifecycle_denials
from tests.functional import templates

THROWN = ('SystemExit', 'KeyboardInterrupt', 'GeneratorExit',
          'asyncio:CancelledError', 'BaseException')
GREEN = ('eventlet:Timeout', 'greenlet:GreenletExit')


class RaisedErrors(lifecycle_denials.TestCase):
    """The engine continues, and tearDown asserts that no row is left."""

    thrown = THROWN

    def assert_refused(self, path, action, thrown):
        stack = self.wait(path, f'{action}_FAILED')
        kind = thrown.rpartition(':')[2]
        self.assertIn(f'Lifecycle plugin test_b failed before {action}: '
                      f'{kind}: ', stack['stack_status_reason'])
        self.assertEqual(
            [call.format(action) for call in lifecycle_denials.UNWOUND],
            self.calls(stack['stack_name'])[-5:])

    def test_create_fails_if_pre_call_raises(self):
        order = self.order('throw', 'test_b', 'CREATE', '')
        for number, thrown in enumerate(self.thrown):
            order.write_text(thrown)
            path = self.client.create_stack(f'before{number}',
                                            templates.SMALL, wait=False)
            self.assert_refused(path, 'CREATE', thrown)

    def test_update_check_and_delete_fail_if_pre_call_raises(self):
        path = self.client.create_stack('others', templates.SMALL)
        for action, begin in (
                ('UPDATE', lambda: self.client.put(
                    path, {'template': lifecycle_denials.LARGER})),
                ('CHECK', lambda: self.client.post(
                    path + '/actions', {'check': None})),
                ('DELETE', lambda: self.client.delete(path))):
            self.order('throw', 'test_b', action, 'SystemExit')
            begin()
            self.assert_refused(path, action, 'SystemExit')

    def test_create_fails_if_post_call_raises(self):
        order = self.order('throw_after', 'test_a', 'CREATE', '')
        for number, thrown in enumerate(self.thrown):
            order.write_text(thrown)
            name = f'after{number}'
            path = self.client.create_stack(name, templates.SMALL,
                                            wait=False)
            stack = self.wait(path, 'CREATE_FAILED')
            kind = thrown.rpartition(':')[2]
            self.assertIn('Lifecycle plugin test_a failed after CREATE: '
                          f'{kind}: ', stack['stack_status_reason'])
            self.assertEqual(lifecycle_actions.both('CREATE'),
                             self.calls(name))

    def test_lock_and_unlock_if_plugin_call_raises(self):
        path = self.client.create_stack('doors', templates.SMALL)
        for action in ('lock', 'unlock'):
            order = self.order('throw', 'test_b', action.upper(),
                               'SystemExit')
            before = self.client.show_stack(path)
            answer = self.client.post(path + '/actions', {action: None})
            self.assertEqual(409, answer.status_code, answer.text)
            self.assertIn('SystemExit: ', answer.text)
            self.assertEqual(before, self.client.show_stack(path))
            self.assertEqual(
                [f'post {action.upper()} test_first failed',
                 f'post {action.upper()} test_a failed'],
                self.calls('doors')[-2:])
            order.write_text('')
            after = self.order('throw_after', 'test_a', action.upper(),
                               'SystemExit')
            answer = self.client.post(path + '/actions', {
                action: {'level': 'stacks'} if action == 'lock' else None})
            self.assertEqual(200, answer.status_code, answer.text)
            self.client.wait_for_lock(path, f'{action.upper()}_COMPLETE')
            self.assertIn(f'post {action.upper()} test_post',
                          self.calls('doors'))
            after.write_text('')
