# SPDX-License-Identifier: Apache-2.0

"""The tag beside the protection of requests, and updates that are overtaken.
"""

from concurrent import futures
import contextlib
import os

import fixtures

from tests.functional import test_delete_protection
from tests.harness import environment
from tests.harness import waiting

_HERE = os.path.dirname(os.path.abspath(__file__))


class BesideTest(test_delete_protection.TagTestCase,
                 test_delete_protection.DeleteProtectionTest):
    """Where a tag can protect, the protection of requests is what it was."""


class LegacyBesideTest(BesideTest):
    settings = test_delete_protection.LegacyTagTest.settings


class OvertakenTest(test_delete_protection.TagTestCase):
    """An update that has begun writes its tags when another one has, too."""

    is_shared = False

    @classmethod
    def setUpClass(cls):
        cls.directory = cls.use_in_class(fixtures.TempDir())
        with environment.Environment(
                os.path.join(_HERE, 'late_tags'),
                HEAT_EXTRAS_LATE_TAGS=cls.directory.path):
            super().setUpClass()

    @contextlib.contextmanager
    def update_that_is_late(self, tags):
        """Let an update begin, and write its tags at the end."""
        hold, held = map(self.directory.join, ('hold', 'held'))
        with open(hold, 'w'), futures.ThreadPoolExecutor(1) as pool:
            late = pool.submit(self.put, wait=False, tags=tags)
            try:
                waiting.until('an update to write its tags',
                              lambda: os.path.exists(held), bool)
                yield
            finally:
                for path in filter(os.path.exists, (hold, held)):
                    os.remove(path)
            late.result(120)
        self.client.wait_for_stack(self.path, ['UPDATE_COMPLETE'])

    def tags(self):
        return self.client.show_stack(self.path)['tags']

    def test_what_protects_since_is_not_taken_away(self):
        for tags in 'other', '':
            self.put(tags='one')
            with self.update_that_is_late(tags):
                self.put(wait=False, tags='keep')
                self.assert_tagged(self.path)
            self.assertEqual(['keep'], self.tags())
            self.assert_tagged(self.path)

    def test_what_has_been_lifted_since_does_not_come_back(self):
        self.put(tags='one')
        with self.update_that_is_late('keep'):
            self.put(wait=False, tags='other')
        self.assertEqual(['other'], self.tags())

    def test_one_that_is_late_and_alone_writes_its_tags(self):
        with self.update_that_is_late('keep,other'):
            self.assert_tagged(self.path)
        self.assertEqual(['keep', 'other'], sorted(self.tags()))
