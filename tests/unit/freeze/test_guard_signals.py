# SPDX-License-Identifier: Apache-2.0

import types
from unittest import mock

import fixtures
import testtools

from heat_extras.freeze import guard
from heat_extras import rpc_request

WINDOW = types.SimpleNamespace(name='year-end')


class SignalsTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.request = rpc_request.Request('signal', None,
                                           ignored_by=(WINDOW,))
        self.mock('rpc_request.current', side_effect=lambda: self.request)
        self.of_agent = self.mock('agent_signals.is_signaled_by_agents',
                                  return_value=False)
        self.count = self.mock('counter_writes.count_event')
        self.original = mock.Mock(return_value='done')
        self.resource = types.SimpleNamespace(
            name='scale_up', context='context',
            stack=types.SimpleNamespace(name='web', id='1234'))

    def mock(self, name, **options):
        return self.useFixture(fixtures.MockPatch(
            f'heat_extras.freeze.guard.{name}', **options)).mock

    def signal(self, details=None):
        return guard.deliver_signal(self.resource, details, self.original)

    def test_ignored_signal_is_only_counted(self):
        self.assertTrue(guard.record_window(self.resource))
        # In another thread, without the context of the caller.
        self.request = None
        self.assertFalse(self.signal())
        self.original.assert_not_called()
        self.count.assert_called_once_with('1234', 'frozen signal',
                                           'year-end', 'context')

    def test_other_signals_are_delivered(self):
        self.assertEqual('done', self.signal())
        self.request.ignored_by = ()
        self.assertFalse(guard.record_window(self.resource))
        self.assertEqual('done', self.signal({'id': 1}))
        self.original.assert_called_with()

    def test_signals_of_agents_and_hooks_are_delivered(self):
        self.assertTrue(guard.record_window(self.resource))
        self.assertEqual('done', self.signal({'unset_hook': 'pre-update'}))
        self.of_agent.return_value = True
        self.assertFalse(guard.record_window(self.resource))
        self.assertEqual('done', self.signal())
        self.count.assert_not_called()
