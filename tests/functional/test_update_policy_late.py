# SPDX-License-Identifier: Apache-2.0

"""Tests of the steps after an update that a policy refuses late."""

from tests.functional import late_refusal_cases
from tests.functional import update_policy_base
from tests.harness import waiting


class LateRefusalTest(late_refusal_cases.LateRefusalMixin,
                      update_policy_base.UpdatePolicyTestCase):

    def test_every_step_finds_scaling_group(self):
        self.check_steps('scaling group, size')

    def test_every_step_finds_members_with_other_value(self):
        self.check_steps('scaling group, replaced')

    def test_group_grows_after_rejected_removal(self):
        sent = late_refusal_cases.body('scaling group, size')
        resources = sent['template']['resources']
        resources['up'] = {'type': 'OS::Heat::ScalingPolicy', 'properties': {
            'auto_scaling_group_id': {'get_resource': 'g'},
            'adjustment_type': 'change_in_capacity', 'scaling_adjustment': 2}}
        path = self.create('grows', sent['template'], files=sent['files'])
        self.client.post(path + '/resources/up/signal', {})
        before = waiting.until('all members', lambda: self.guarded(path),
                               lambda found: len(found - {''}) == 5)
        for value, status in ('4', 'UPDATE_FAILED'), ('6', 'UPDATE_COMPLETE'):
            resources['size']['properties']['value'] = value
            self.update(path, sent['template'], status, files=sent['files'],
                        disable_rollback=True)
            self.assertLessEqual(before, self.guarded(path))


class LateRefusalLegacyTest(late_refusal_cases.LateRefusalMixin,
                            update_policy_base.UpdatePolicyTestCase):

    settings = update_policy_base.LEGACY

    def test_every_step_finds_disabled_resource(self):
        self.check_steps('condition, policy outside')

    def test_every_step_finds_disabled_resource_of_members(self):
        self.check_steps('scaling group, condition')
