# SPDX-License-Identifier: Apache-2.0

"""The tag beside the protection of requests."""

from tests.functional import test_delete_protection


class DeleteProtectionWithTagTest(test_delete_protection.TagTestCase,
                 test_delete_protection.DeleteProtectionTest):
    """Where a tag can protect, the protection of requests is what it was."""


class LegacyDeleteProtectionWithTagTest(DeleteProtectionWithTagTest):
    settings = test_delete_protection.LegacyTagTest.settings
