# SPDX-License-Identifier: Apache-2.0

from importlib import metadata
import subprocess
import sys

import testtools

SCRIPT = """
from heat_extras.sandbox import interpreter
interpreter.prepare()
import sys
patched = 'eventlet' in sys.modules and __import__(
    'eventlet.patcher').patcher.is_monkey_patched('socket')
print(patched)
"""


class PrepareTest(testtools.TestCase):

    def test_standard_library_is_patched_if_heat_uses_eventlet(self):
        done = subprocess.run([sys.executable, '-c', SCRIPT],
                              capture_output=True, text=True)
        major = int(metadata.version('openstack-heat').split('.')[0])
        self.assertEqual('%s\n' % (major < 25), done.stdout, done.stderr)

    def test_no_eventlet_warning_on_stderr(self):
        done = subprocess.run([sys.executable, '-c', SCRIPT],
                              capture_output=True, text=True)
        self.assertNotIn('Eventlet', done.stderr)
