# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.

from importlib import metadata
import subprocess
import sys

import testtools

SCRIPT = """
from heat_extras.sandbox import concurrency
concurrency.prepare()
import sys
patched = 'eventlet' in sys.modules and __import__(
    'eventlet.patcher').patcher.is_monkey_patched('socket')
print(patched)
"""


class PrepareTest(testtools.TestCase):

    def test_standard_library_is_patched_for_the_heats_on_eventlet(self):
        done = subprocess.run([sys.executable, '-c', SCRIPT],
                              capture_output=True, text=True)
        major = int(metadata.version('openstack-heat').split('.')[0])
        self.assertEqual('%s\n' % (major < 25), done.stdout, done.stderr)

    def test_nothing_is_said_about_eventlet(self):
        done = subprocess.run([sys.executable, '-c', SCRIPT],
                              capture_output=True, text=True)
        self.assertNotIn('Eventlet', done.stderr)
