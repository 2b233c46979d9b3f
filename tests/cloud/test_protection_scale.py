# SPDX-License-Identifier: Apache-2.0

"""Fifty servers locked and unlocked, beside suspend and resume of the same."""

import time

from tests.cloud import protection
from tests.cloud import templates

COUNT = 50
_PATIENCE = 1800


class ScaleTest(protection.ProtectionTestCase):
    def test_locking_many_servers_beside_suspending_them(self):
        path = self.create_stack(templates.servers(COUNT), wait=False)
        self.alice.wait_for_stack(path, ['CREATE_COMPLETE'], _PATIENCE)
        taken = {name: self.timed(path, name) for name in (
            'lock', 'unlock', 'suspend', 'resume')}
        print(f'{COUNT} servers: ' + ', '.join(
            f'{name} {seconds:.1f} s' for name, seconds in taken.items()),
            flush=True)
        self.assertEqual(set(), self.locked_servers())

    def timed(self, path, name):
        """Do it and wait; returns how many seconds it took."""
        begin = time.monotonic()
        if name == 'lock':
            self.lock(path)
        elif name == 'unlock':
            self.assertEqual(COUNT, len(self.locked_servers()))
            begin = time.monotonic()
            self.unlock(path)
        else:
            self.assert_status(200, self.act(path, name))
            self.alice.wait_for_stack(path, [f'{name.upper()}_COMPLETE'],
                                      _PATIENCE)
        return time.monotonic() - begin
