# SPDX-License-Identifier: Apache-2.0

"""Delete protection while a protection tag is configured."""

from tests.functional import test_delete_protection


class DeleteProtectionWithTagTest(test_delete_protection.TagTestCase,
                                  test_delete_protection.DeleteProtectionTest):
    """The delete protection tests with a configured protection tag."""


class LegacyDeleteProtectionWithTagTest(DeleteProtectionWithTagTest):
    settings = test_delete_protection.LegacyTagTest.settings
