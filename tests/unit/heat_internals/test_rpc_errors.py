# SPDX-License-Identifier: Apache-2.0

from unittest import mock

import fixtures
from heat.common import exception as heat_exception
from oslo_db import exception as db_exception
import oslo_messaging
from oslo_messaging.rpc import dispatcher
import testtools
from webob import exc

from heat_extras import exception
from heat_extras.health import service
from heat_extras.heat_internals import api_controllers
from heat_extras.heat_internals import rpc_errors
from heat_extras import timestamps


def ask(error):
    client = mock.Mock(call=mock.Mock(side_effect=error))
    api_controllers.call_or_409(client, 'context', 'guards', 'stack_guards')


class CallOr409Test(testtools.TestCase):

    def test_engine_without_feature_is_conflict(self):
        error = self.assertRaises(exc.HTTPConflict, ask,
                                  oslo_messaging.RemoteError('NoSuchMethod'))
        self.assertIn('Feature "guards" of heat-extras is not enabled',
                      str(error))

    def test_other_rpc_errors_are_raised_unchanged(self):
        for error in (oslo_messaging.RemoteError('OperationalError', 'gone'),
                      TypeError("'int' object is not iterable")):
            self.assertIs(error, self.assertRaises(type(error), ask, error))


class HideInternalErrorsTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.log = self.useFixture(fixtures.FakeLogger())

    def test_internal_error_is_replaced_and_logged(self):
        def fail():
            with rpc_errors.hide_internal_errors('lock'):
                timestamps.parse(None)
        error = self.assertRaises(exception.GuardFailed, fail)
        self.assertIn('lock: an unexpected error', str(error))
        self.assertTrue(error.__suppress_context__)
        self.assertIn('ValueError', self.log.output)

    def test_unavailable_database_is_503_without_driver_text(self):
        away = db_exception.DBConnectionError('words of the driver')
        for error in away, db_exception.DBDeadlock('of a node'):
            def fail(error=error):
                with rpc_errors.hide_internal_errors('lock', is_own=True):
                    raise error
            raised = self.assertRaises(exception.DatabaseAway, fail)
            self.assertEqual(503, raised.code)
            self.assertIn('lock: the Heat database is unavailable',
                          str(raised))
            self.assertNotIn('of the driver', str(raised))
            self.assertIn(str(error), self.log.output)

        def update():
            with rpc_errors.hide_internal_errors('update'):
                raise away
        self.assertIs(away, self.assertRaises(type(away), update))

    def test_rejection_of_heat_extras_is_not_hidden(self):
        # Raised by heat-extras code: the raising module decides.
        def fail():
            with rpc_errors.hide_internal_errors('mark'), \
                    rpc_errors.as_expected_exception():
                service.check_reason('a\0')
        error = self.assertRaises(dispatcher.ExpectedException, fail)
        self.assertIn('U+0000', str(error.exc_info[1]))

    def test_errors_of_heat_are_not_hidden(self):
        for wanted in (ValueError('x'), heat_exception.NotFound()):
            def fail(wanted=wanted):
                with rpc_errors.hide_internal_errors('lock'):
                    raise wanted
            self.assertIs(wanted, self.assertRaises(type(wanted), fail))


class ValueErrorsAs400Test(testtools.TestCase):

    def test_text_of_value_error_is_kept(self):
        with testtools.ExpectedException(exc.HTTPBadRequest, 'found 5'):
            with api_controllers.value_errors_as_400():
                raise ValueError('found 5')

    def test_other_errors_are_raised_unchanged(self):
        with testtools.ExpectedException(KeyError):
            with api_controllers.value_errors_as_400():
                raise KeyError('body')
