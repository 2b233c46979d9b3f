# SPDX-License-Identifier: Apache-2.0

"""Where a tag can protect, the protection of requests is what it was."""

from tests.functional import test_delete_protection


class BesideTest(test_delete_protection.TagTestCase,
                 test_delete_protection.DeleteProtectionTest):
    pass


class LegacyBesideTest(BesideTest):
    settings = test_delete_protection.LegacyTagTest.settings
