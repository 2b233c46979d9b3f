# SPDX-License-Identifier: Apache-2.0

"""The lock handler of images."""

import testtools

from heat_extras.stack_lock.resource_locks import glance
from tests.unit.stack_lock.resource_locks import fakes


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
    def test_image_is_protected_by_lock_and_released_by_unlock(self):
        image = Image()
        self.assertIsNone(image.find_lock())
        image.handle_lock('all')
        self.assertEqual(('the image is protected', True),
                         image.find_lock())
        image.handle_unlock()
        self.assertIsNone(image.find_lock())
