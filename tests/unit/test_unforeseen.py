# SPDX-License-Identifier: Apache-2.0

import fixtures
from heat.common import exception as heat_exception
from oslo_db import exception as db_exception
from oslo_messaging.rpc import dispatcher
import testtools

from heat_extras.health import admission
from heat_extras.host import expected
from heat_extras import mishap
from heat_extras import unforeseen


class ToldTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.log = self.useFixture(fixtures.FakeLogger())

    def test_ours_becomes_a_sentence_without_a_cause(self):
        def fail():
            with unforeseen.told('lock'):
                mishap.is_ours(None)
        error = self.assertRaises(unforeseen.GuardFailed, fail)
        self.assertIn('lock: an unexpected error', str(error))
        self.assertTrue(error.__suppress_context__)
        self.assertIn('AttributeError', self.log.output)

    def test_a_database_that_is_away(self):
        away = db_exception.DBConnectionError('words of the driver')
        for error in away, db_exception.DBDeadlock('of a node'):
            def fail(error=error):
                with unforeseen.told('lock', is_own=True):
                    raise error
            told = self.assertRaises(unforeseen.DatabaseAway, fail)
            self.assertEqual(503, told.code)
            self.assertIn("lock: Heat's database can't be used", str(told))
            self.assertNotIn('of the driver', str(told))
            self.assertIn(str(error), self.log.output)

        def update():
            with unforeseen.told('update'):
                raise away
        self.assertIs(away, self.assertRaises(type(away), update))

    def test_a_refusal_of_ours_passes(self):
        # Not raised in this file: an error is ours where it is from.
        def fail():
            with unforeseen.told('mark'), expected.told():
                admission.check_reason('a\0')
        error = self.assertRaises(dispatcher.ExpectedException, fail)
        self.assertIn('U+0000', str(error.exc_info[1]))

    def test_what_is_not_ours_passes(self):
        for wanted in (ValueError('x'), heat_exception.NotFound()):
            def fail(wanted=wanted):
                with unforeseen.told('lock'):
                    raise wanted
            self.assertIs(wanted, self.assertRaises(type(wanted), fail))
