# SPDX-License-Identifier: Apache-2.0

from unittest import mock

import testtools

from heat_extras.heat_internals import lock_callbacks


class LockCallbacksTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.ends = [mock.Mock(), mock.Mock()]
        self.callbacks = [mock.Mock(return_value=end) for end in self.ends]
        for callback in self.callbacks:
            lock_callbacks.register_callback(callback)
            lock_callbacks.register_callback(callback)
            self.addCleanup(lock_callbacks.unregister_callback, callback)

    def ask(self, error=None):
        with lock_callbacks.run_callbacks('context', 'root', 'LOCK') as end:
            if error is not None:
                raise error
        return end

    def test_end_callbacks_are_called_once(self):
        end = self.ask()
        for callback, end_callback in zip(self.callbacks, self.ends,
                                          strict=True):
            callback.assert_called_once_with('context', 'root', 'LOCK')
            end_callback.assert_not_called()
        end(False)
        end(True)
        for end_callback in self.ends:
            end_callback.assert_called_once_with(False)

    def test_rejected_request_is_reported_as_failed(self):
        self.assertRaises(ValueError, self.ask, ValueError())
        for end_callback in self.ends:
            end_callback.assert_called_once_with(True)

    def test_callback_error_ends_earlier_callbacks_as_failed(self):
        self.callbacks[1].side_effect = KeyError
        self.assertRaises(KeyError, self.ask)
        self.ends[0].assert_called_once_with(True)
        self.ends[1].assert_not_called()
