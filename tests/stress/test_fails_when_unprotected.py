# SPDX-License-Identifier: Apache-2.0

"""Without the fence of a lock, the stress tests find violations.

This shows that the stress tests can fail.
"""

import os

from testtools import content

from tests.harness import environment
from tests.harness import waiting
from tests.stress import base
from tests.stress import test_sandbox

_PLACE = os.path.join(os.path.dirname(__file__), 'process_faults')
# One of these is enough: their writes often race a lock.
_OPERATIONS = {name: base.LASTING[name]
               for name in ('update', 'check', 'suspend', 'nested')}
_SECONDS = 240


class WithoutFenceTest(base.StressMixin, test_sandbox.SandboxTestCase):
    @classmethod
    def setUpClass(cls):
        with environment.Environment(_PLACE):
            super().setUpClass()

    def test_missing_fence_is_detected(self):
        violations = waiting.last(self._changes, bool, _SECONDS)
        self.addDetail('found', content.text_content('\n'.join(violations)))
        self.assertNotEqual([], violations, 'the stress test is blind')

    def _changes(self):
        """Run once; changes of the database in a hold period count."""
        return [text for text in self.run_stress(_OPERATIONS, clients=4)
                if ' became ' in text]
