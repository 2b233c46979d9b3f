# SPDX-License-Identifier: Apache-2.0

import types

import testtools

from heat_extras.heat_internals import older_engine


class OlderEngineTest(testtools.TestCase):
    def test_what_it_answers(self):
        for error, wanted in (
                (types.SimpleNamespace(exc_type='NoSuchMethod'), True),
                (TypeError("got an unexpected keyword argument 'at'"), True),
                (TypeError('unsupported operand'), False),
                (types.SimpleNamespace(exc_type='StackLocked'), False)):
            self.assertEqual(wanted, older_engine.is_one(error))
