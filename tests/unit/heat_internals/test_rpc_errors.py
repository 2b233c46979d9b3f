# SPDX-License-Identifier: Apache-2.0

from unittest import mock

import oslo_messaging
import testtools
from webob import exc

from heat_extras.heat_internals import rpc_errors


def ask(error):
    client = mock.Mock(call=mock.Mock(side_effect=error))
    rpc_errors.call_or_409(client, 'context', 'guards', 'stack_guards')


class CallTest(testtools.TestCase):

    def test_an_engine_without_the_feature_is_a_conflict(self):
        error = self.assertRaises(exc.HTTPConflict, ask,
                                  oslo_messaging.RemoteError('NoSuchMethod'))
        self.assertIn('Feature guards of heat-extras is not enabled',
                      str(error))

    def test_other_errors_are_kept(self):
        for error in (oslo_messaging.RemoteError('OperationalError', 'gone'),
                      TypeError("'int' object is not iterable")):
            self.assertIs(error, self.assertRaises(type(error), ask, error))
