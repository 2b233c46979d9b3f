# SPDX-License-Identifier: Apache-2.0

"""Health marks during operations that have the StackLock.

In Heat 24 and 25, these are suspend, resume, check and snapshot.
"""

import types
from unittest import mock

from heat.common import exception
from heat.objects import stack_lock

from heat_extras.health import service
from tests.database import base


class StackLockTest(base.DatabaseTest):

    scenarios = [('sqlite', {'kind': 'sqlite'})]

    def check(self, is_alive=True, convergence=True):
        with mock.patch('heat.common.service_utils.engine_alive',
                        return_value=is_alive):
            service._check_stack_lock(self.context, types.SimpleNamespace(
                id=self.stack_id, name='web', action='SUSPEND',
                convergence=convergence))

    def test_mark_is_rejected_while_live_engine_has_stack_lock(self):
        self.stack_id = self.stacks.add_stack()
        self.check()
        stack_lock.StackLock.create(self.context, self.stack_id, base.ENGINE)
        error = self.assertRaises(exception.ActionInProgress, self.check)
        self.assertIn('web', str(error))
        self.check(is_alive=False)
        # For a legacy stack, Heat itself checks the StackLock.
        self.check(convergence=False)
