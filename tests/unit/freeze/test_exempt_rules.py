# SPDX-License-Identifier: Apache-2.0

import fixtures
from heat.common import policy as heat_policy
from oslo_config import cfg
from oslo_policy import opts
import testtools

from heat_extras import conf as heat_extras_conf
from heat_extras.config_validation import validation
from heat_extras.freeze import exempt_rules
from tests.unit.freeze import test_window


class DoubtsTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        folder = self.useFixture(fixtures.TempDir())
        self.policies = folder.join('policy.yaml')
        self.path = folder.join('freezes.yaml')
        with open(self.policies, 'w') as target:
            target.write('"holiday_crew": "role:crew"\n')
        self.conf = cfg.ConfigOpts()
        self.conf([], project='heat', default_config_files=[],
                  default_config_dirs=[])
        heat_extras_conf.register_opts(self.conf)
        opts.set_defaults(self.conf, policy_file=self.policies)
        self.conf.set_override('freezes_file', self.path, 'heat_extras')

    def said(self, rule):
        return exempt_rules.doubts(self.conf, [test_window.window(
            begin='2026-12-24T18:00', duration='1h', exempt=rule)])

    def test_what_is_there_is_no_doubt(self):
        for rule in ('role:admin', 'rule:deny_stack_user', '!', '@',
                     'rule:actions:unlock_override or role:nobody',
                     'rule:stacks:global_index', 'rule:holiday_crew',
                     'user_id:%(user_id)s and not project_id:p1',
                     'system_scope:all', 'is_admin_project:True',
                     'auth_token_info.token.user.id:x',
                     'True:True', "'p1':%(project_id)s",
                     'http://127.0.0.1:1/x'):
            self.assertEqual([], self.said(rule), rule)

    def test_a_rule_of_no_policy(self):
        said, = self.said('role:admin or not rule:holyday_crew')
        self.assertEqual(
            f'[heat_extras] freezes_file: {self.path}, freeze test: exempt: '
            "found 'rule:holyday_crew', wanted a rule of Heat's or of its "
            'policy_file; did you mean holiday_crew?; under a "not", so '
            'nobody is exempt', said)
        self.assertIn("found 'rule:xyz', wanted a rule of Heat's or of its "
                      'policy_file; it is', self.said('rule:xyz')[0])

    def test_a_rule_that_a_rule_names(self):
        with open(self.policies, 'a') as target:
            target.write('"crews": "not rule:day_crew or rule:night_crew"\n')
        day, night = self.said('rule:crews')
        self.assertIn("found 'rule:day_crew', wanted", day)
        self.assertIn('; under a "not", so nobody is exempt', day)
        self.assertIn("found 'rule:night_crew', wanted", night)
        self.assertIn('; it is never true', night)

    def test_a_key_that_no_token_has(self):
        for rule, found, meant in (
                ('roll:admin', "'roll:admin'", 'role'),
                ('(userid:eve and role:x)', "'userid:eve'", 'user_id'),
                ('not tenant_id:p1', "'tenant_id:p1'", 'tenant')):
            said, = self.said(rule)
            self.assertIn(f'found {found}, wanted role:, rule:, or one of ',
                          said)
            self.assertIn(f'did you mean {meant}?', said)

    def test_what_a_rule_compares_with(self):
        said, = self.said('user_id:%(userid)s')
        self.assertIn("found '%(userid)s', wanted any of %(project_id)s, "
                      '%(user_id)s; did you mean user_id?', said)

    def test_heats_own_enforcer_is_not_made_before_our_rules_are_known(self):
        self.useFixture(fixtures.MonkeyPatch('heat.common.policy.ENFORCER',
                                             None))
        self.said('roll:admin or rule:xyz')
        self.assertIsNone(heat_policy.ENFORCER)

    def test_each_is_told_once_for_each_freeze(self):
        self.assertEqual(2, len(self.said('rule:a or rule:b or rule:a')))

    def test_engines_are_told_with_what_else_is_doubtful(self):
        with open(self.path, 'w') as target:
            target.write('freezes: [{name: a, begin: "2026-12-24T18:00", '
                         'duration: 1h, exempt: "rule:xyz"}]')
        said, = validation.find_warnings(self.conf)
        self.assertIn(", freeze a: exempt: found 'rule:xyz'", said)
        self.assertEqual([], validation.find_warnings(self.conf, 'api'))
        with open(self.path, 'w') as target:
            target.write('freezes: soon')
        self.assertEqual([], validation.find_warnings(self.conf))
