# SPDX-License-Identifier: Apache-2.0

import fixtures
from heat.common import context as heat_context
from heat.common import policy as heat_policy
from oslo_config import cfg
from oslo_policy import opts
import testtools

from heat_extras import conf as heat_extras_conf
from heat_extras import config_validation
from heat_extras.freeze import exempt
from tests.unit.freeze import test_window


class FindWarningsTest(testtools.TestCase):
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
        return exempt.find_warnings(self.conf, [test_window.window(
            begin='2026-12-24T18:00', duration='1h', exempt=rule)])

    def test_rule_that_can_match_has_no_warning(self):
        for rule in ('role:admin', 'rule:deny_stack_user', '!', '@',
                     'rule:actions:unlock_override or role:nobody',
                     'rule:stacks:global_index', 'rule:holiday_crew',
                     'user_id:%(user_id)s and project_id:p1',
                     'system_scope:all', 'is_admin_project:True',
                     'auth_token_info.token.user.id:x',
                     'True:True', "'p1':%(project_id)s",
                     'http://127.0.0.1:1/x'):
            self.assertEqual([], self.said(rule), rule)

    def test_unknown_policy_rule_has_warning(self):
        message, = self.said('role:admin or rule:holyday_crew')
        self.assertEqual(
            f'[heat_extras] freezes_file: {self.path}, freeze test: exempt: '
            "'rule:holyday_crew' never matches: expected a rule of Heat or "
            'of its policy_file', message)

    def test_unknown_credential_key_has_warning(self):
        for rule, quoted in (
                ('roll:admin', "'roll:admin'"),
                ('(userid:eve and role:x)', "'userid:eve'"),
                ('tenant_id:p1', "'tenant_id:p1'")):
            message, = self.said(rule)
            self.assertIn(f'{quoted} never matches: expected role:, rule:, or '
                          'one of ', message)

    def test_known_keys_match_request_context(self):
        cfg.CONF([], project='heat', default_config_files=[],
                 default_config_dirs=[])
        self.addCleanup(cfg.CONF.reset)
        self.assertEqual(exempt.KEYS, sorted(
            heat_context.RequestContext().to_policy_values()))

    def test_enforcer_of_heat_is_not_created(self):
        self.useFixture(fixtures.MonkeyPatch('heat.common.policy.ENFORCER',
                                             None))
        self.said('roll:admin or rule:xyz')
        self.assertIsNone(heat_policy.ENFORCER)

    def test_repeated_rule_has_one_warning(self):
        self.assertEqual(2, len(self.said('rule:a or rule:b or rule:a')))

    def test_config_validation_of_engine_includes_warning(self):
        with open(self.path, 'w') as target:
            target.write('freezes: [{name: a, begin: "2026-12-24T18:00", '
                         'duration: 1h, exempt: "rule:xyz"}]')
        message, = config_validation.find_warnings(self.conf)
        self.assertIn(", freeze a: exempt: 'rule:xyz' never", message)
        self.assertEqual([], config_validation.find_warnings(self.conf, 'api'))
        with open(self.path, 'w') as target:
            target.write('freezes: soon')
        self.assertEqual([], config_validation.find_warnings(self.conf))


class IsExemptTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        # Where oslo.policy looks for files of rules.
        cfg.CONF([], project='heat', default_config_files=[],
                 default_config_dirs=[])
        self.addCleanup(cfg.CONF.reset)

    def is_exempt(self, rule, roles=('member',), **token):
        fields = {'exempt': rule} if rule else {}
        return exempt.is_exempt(
            heat_context.RequestContext(
                roles=list(roles), project_id='p1', user_id='u1', **token),
            test_window.window(begin='2026-12-24T18:00', duration='1h',
                               **fields))

    def test_rule_is_checked_against_token_of_caller(self):
        self.assertTrue(self.is_exempt('role:member'))
        self.assertFalse(self.is_exempt('role:admin'))
        self.assertTrue(self.is_exempt('role:admin', ['admin']))
        self.assertTrue(self.is_exempt('role:admin or user_id:u1'))
        self.assertFalse(self.is_exempt('role:member and user_id:u2'))

    def test_rules_of_heat_policy_can_be_used(self):
        self.assertTrue(self.is_exempt('rule:deny_stack_user'))
        self.assertFalse(self.is_exempt('rule:deny_stack_user',
                                        ['heat_stack_user']))
        self.assertFalse(self.is_exempt('rule:no_such_rule', ['admin']))

    def test_rule_that_cannot_be_evaluated_exempts_no_caller(self):
        logger = self.useFixture(fixtures.FakeLogger())
        rule = 'http://127.0.0.1:1/x'
        self.assertFalse(self.is_exempt(rule, ['admin']), rule)
        self.assertIn(f'the exempt rule {rule!r} of freeze "test" cannot be '
                      'evaluated, so the freeze applies to all callers',
                      logger.output)

    def test_unknown_part_of_rule_is_false(self):
        for rule in ('role:member or rule:no_such_rule',
                     'role:member or roll:guest'):
            self.assertTrue(self.is_exempt(rule), rule)
            self.assertFalse(self.is_exempt(rule, ['guest']), rule)

    def test_freeze_without_exempt_rule_exempts_no_caller(self):
        self.assertFalse(self.is_exempt(None, ['admin', 'member']))
