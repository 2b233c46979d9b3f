# SPDX-License-Identifier: Apache-2.0

import fixtures
from heat.common import exception as heat_exception
from heat.db import api as db_api
from oslo_context import context as oslo_context
from oslo_db import exception as db_exception
import sqlalchemy
import testtools

from heat_extras.heat_internals import rpc_errors
from heat_extras import timestamps

STATEMENT = sqlalchemy.exc.IntegrityError(
    'INSERT INTO secret', {}, Exception('Duplicate entry'))


class MessageOfTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.log = self.useFixture(fixtures.FakeLogger())

    def test_message_for_users_is_returned(self):
        self.assertEqual('quota is exceeded', rpc_errors.message_of(
            ValueError('quota\n is exceeded'), 'lock'))
        self.assertEqual(
            'KeyError', rpc_errors.message_of(KeyError(), 'lock'))
        self.assertEqual('', self.log.output)

    def test_internal_message_is_logged_and_replaced(self):
        context = oslo_context.RequestContext(request_id='req-7')
        for error in (
                STATEMENT, db_exception.DBDuplicateEntry(STATEMENT),
                heat_exception.Error(str(STATEMENT)),
                RuntimeError(f'could not: {STATEMENT}'),
                RuntimeError("(pymysql.err.DataError) (1406, 'INSERT')"),
                RuntimeError('Traceback (most recent call last):\n INSERT')):
            message = rpc_errors.message_of(error, 'lock of web')
            self.assertEqual(
                'lock of web: an unexpected error occurred. The cause '
                f'is in the heat-engine log, with request '
                f'{context.request_id}. Ask the operator of this Heat.',
                message)
            self.assertIn('INSERT', self.log.output)
            self.assertIn('request req-7: lock of web', self.log.output)


class IsFromHeatExtrasTest(testtools.TestCase):
    def raised(self, function):
        try:
            function()
        except Exception as error:
            return error

    def test_heat_extras_error_is_recognized(self):
        self.assertTrue(rpc_errors.is_from_heat_extras(self.raised(
            lambda: timestamps.parse(None))))

    def test_heat_error_is_not_recognized(self):
        self.assertFalse(rpc_errors.is_from_heat_extras(self.raised(
            lambda: db_api.stack_get(None, None))))
        self.assertFalse(rpc_errors.is_from_heat_extras(ValueError()))
