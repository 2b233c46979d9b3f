# SPDX-License-Identifier: Apache-2.0

"""What an API answers when an engine of an older release was asked."""

import oslo_messaging
import testtools

from heat_extras.stack_lock import errors
from heat_extras.stack_lock.lock_list import older

NO_ARGUMENT = TypeError("EngineService.stack_lock() got an unexpected keyword "
                        "argument 'expected'")
NO_METHOD = oslo_messaging.RemoteError('NoSuchMethod', 'no such method', '')
OTHERS = (TypeError("'int' object is not iterable"),
          oslo_messaging.RemoteError('OperationalError', 'gone', ''))


def ask(error, is_new=True):
    with older.told(is_new):
        raise error


class ToldTest(testtools.TestCase):

    def test_it_is_told(self):
        for error in NO_ARGUMENT, NO_METHOD:
            told = self.assertRaises(errors.StackLockConflict, ask, error)
            self.assertIn('older release of heat-extras', str(told))

    def test_what_is_something_else_stays_so(self):
        for error in OTHERS:
            self.assertIs(error, self.assertRaises(type(error), ask, error))
        for error in NO_ARGUMENT, NO_METHOD:
            self.assertRaises(type(error), ask, error, is_new=False)
