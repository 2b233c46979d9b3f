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

import testtools

from heat_extras.health import limit


class LimitTest(testtools.TestCase):
    def test_without_a_limit_everything_goes(self):
        self.assertFalse(limit.is_exceeded(10, 10, None))

    def test_the_mark_itself_counts(self):
        for unhealthy, total, percent, wanted in (
                (0, 1, 100, False), (0, 1, 99, True), (0, 2, 50, False),
                (1, 2, 50, True), (0, 3, 33, True), (0, 3, 34, False),
                (2, 10, 30, False), (3, 10, 30, True), (0, 5, 0, True)):
            self.assertIs(wanted,
                          limit.is_exceeded(unhealthy, total, percent))

    def test_the_text_tells_what_to_do(self):
        text = limit.describe('web', 1, 3, 50)
        for part in ('web', '1 unhealthy resources of 3',
                     'max_unhealthy_percent = 50', '?force=true'):
            self.assertIn(part, text)
