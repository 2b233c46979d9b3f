# SPDX-License-Identifier: Apache-2.0

import types
from unittest import mock

from heat.common import exception as heat_exception
import testtools

from heat_extras.health.patches import engine_service


class StackLockTest(testtools.TestCase):
    """Heat 24 and 25 suspend, resume, check and snapshot under it."""

    def check(self, engine_id=None, is_alive=True, convergence=True):
        stack = types.SimpleNamespace(id='id', name='web', action='SUSPEND',
                                      convergence=convergence)
        with mock.patch.object(
                engine_service.heat_stack_lock.StackLock, 'get_engine_id',
                return_value=engine_id), mock.patch.object(
                engine_service.service_utils, 'engine_alive',
                return_value=is_alive):
            engine_service._check_stack_lock(None, stack)

    def test_held_by_a_live_engine(self):
        error = self.assertRaises(heat_exception.ActionInProgress,
                                  self.check, 'engine')
        self.assertIn('web', str(error))

    def test_free_or_left_by_a_dead_engine(self):
        self.check()
        self.check('engine', is_alive=False)

    def test_of_a_legacy_stack_heat_takes_it_itself(self):
        self.check('engine', convergence=False)
