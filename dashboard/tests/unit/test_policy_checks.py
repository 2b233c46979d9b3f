# SPDX-License-Identifier: Apache-2.0

"""Policies are asked once for a page."""

from unittest import mock

from openstack_dashboard import policy

from heat_extras_dashboard import policy_checks
from tests.unit import base

LOCK = (('heat_extras', 'actions:lock'),)
OVERRIDE = (('heat_extras', 'actions:unlock_override'),)


class PolicyChecksTest(base.HeatTestCase):
    def test_a_member_has_those_of_members(self):
        self.assertTrue(policy_checks.is_allowed(self.request, LOCK))
        self.assertFalse(policy_checks.is_allowed(self.request, OVERRIDE))

    def test_the_same_is_asked_once(self):
        with mock.patch.object(policy, 'check', return_value=True) as asked:
            for _time in range(3):
                policy_checks.is_allowed(self.request, LOCK)
            policy_checks.is_allowed(self.request, OVERRIDE)
        self.assertEqual(2, asked.call_count)
