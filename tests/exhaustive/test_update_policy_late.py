# SPDX-License-Identifier: Apache-2.0

"""Each way into a late refusal, and the steps after it.

The lifecycle plugin for limits also plans each of these updates.
"""

import testscenarios

from tests.functional import base
from tests.functional import late_refusal_cases
from tests.functional import update_policy_base

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
