# SPDX-License-Identifier: Apache-2.0

"""Each policy rule is checked once for a page."""

from unittest import mock

from openstack_dashboard import policy

from heat_extras_dashboard import policy_checks
from tests.unit import base

LOCK = (('heat_extras', 'actions:lock'),)
OVERRIDE = (('heat_extras', 'actions:unlock_override'),)


class PolicyChecksTest(base.HeatTestCase):
    def test_member_is_allowed_only_rules_of_members(self):
        self.assertTrue(policy_checks.is_allowed(self.request, LOCK))
        self.assertFalse(policy_checks.is_allowed(self.request, OVERRIDE))

    def test_rule_is_checked_once(self):
        with mock.patch.object(policy, 'check', return_value=True) as check:
            for _time in range(3):
                policy_checks.is_allowed(self.request, LOCK)
            policy_checks.is_allowed(self.request, OVERRIDE)
        self.assertEqual(2, check.call_count)
