# SPDX-License-Identifier: Apache-2.0

"""Each way into a late refusal, and the steps after it.

The lifecycle plugin for limits also plans each of these updates.
"""

import testscenarios

from tests.functional import base
from tests.functional import late_refusal_cases
from tests.functional import update_policy_base
from tests.harness import waiting

_RULES = """
rules:
  - {name: none, forbid: ["OS::Nova::*"]}
"""


class LateRefusalTest(testscenarios.WithScenarios,
                      late_refusal_cases.LateRefusalMixin,
                      update_policy_base.UpdatePolicyTestCase):

    is_shared = False
    engine = ''
    scenarios = [(name, {'case': name}) for name in late_refusal_cases.CASES]

    @classmethod
    def setUpClass(cls):
        path = cls.write_for_class('limits.yaml', _RULES)
        cls.settings = cls.engine + f'[heat_extras]\nlimits_file = {path}\n'
        super().setUpClass()

    def test_every_step_finds_the_guarded_resources(self):
        path, before = self.check_steps(self.case)
        self.assert_kept(path, before, self.case, 'UPDATE_FAILED',
                         is_second=True)
        self.assert_kept(path, before, self.case, 'UPDATE_COMPLETE',
                         is_free=True)
        sent = late_refusal_cases.body(self.case, is_second=True,
                                       is_free=True)
        self.update(path, sent['template'], files=sent['files'])


class LateRefusalLegacyTest(LateRefusalTest):

    engine = base.LEGACY


class AddedMemberTest(late_refusal_cases.LateRefusalMixin,
                      update_policy_base.UpdatePolicyTestCase):

    def test_group_can_keep_member_that_failed_update_added(self):
        name = 'group, size and removal policy'
        sent = late_refusal_cases.body(name)
        sources = sent['template']['resources']
        sources['size']['properties']['value'] = '2'
        path = self.create('added', **sent)
        before = self.guarded(path)
        sources['removed']['properties']['value'] = '0'
        self.update(path, status='UPDATE_FAILED', disable_rollback=True,
                    **sent)
        waiting.until_equal(
            'the added member', 3, lambda: len(self.guarded(path) - {''}))
        kept = self.guarded(path)
        self.assertLess(before, kept)
        sources['removed']['properties']['value'] = 'none'
        self.update(path, status='UPDATE_FAILED', disable_rollback=True,
                    **sent)
        self.assertEqual(kept, self.guarded(path))
        sources['size']['properties']['value'] = '3'
        self.update(path, **sent)
        self.assertEqual(kept, self.guarded(path))
