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

"""Images: protected, and not."""

import testtools

from heat_extras.stack_lock.protection import glance
from tests.unit.stack_lock.protection import fakes


class Image(glance.ImageLockMixin, fakes.Resource):
    def __init__(self):
        super().__init__()
        self.images = self
        self.shown = {'protected': False}

    def client(self):
        return self

    def get(self, id_):
        return self.shown

    def update(self, id_, **fields):
        self.shown.update(fields)


class ImageTest(testtools.TestCase):
    def test_lock_and_unlock(self):
        image = Image()
        self.assertIsNone(image.find_lock())
        image.handle_lock('all')
        self.assertEqual('the image is protected', image.find_lock())
        image.handle_unlock()
        self.assertIsNone(image.find_lock())
