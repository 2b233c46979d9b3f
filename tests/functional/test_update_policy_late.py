# SPDX-License-Identifier: Apache-2.0

"""Tests of the steps after an update that a policy refuses late."""

from tests.functional import late_refusal_cases
from tests.functional import update_policy_base


class LateRefusalTest(late_refusal_cases.LateRefusalMixin,
                      update_policy_base.UpdatePolicyTestCase):

    def test_every_step_finds_scaling_group(self):
        self.check_steps('scaling group, size')

    def test_every_step_finds_members_with_other_value(self):
        self.check_steps('scaling group, replaced')


class LateRefusalLegacyTest(late_refusal_cases.LateRefusalMixin,
                            update_policy_base.UpdatePolicyTestCase):

    settings = update_policy_base.LEGACY

    def test_every_step_finds_disabled_resource(self):
        self.check_steps('condition, policy outside')

    def test_every_step_finds_disabled_resource_of_members(self):
        self.check_steps('scaling group, condition')
