# SPDX-License-Identifier: Apache-2.0

import fixtures
from heat.common import context as heat_context
from oslo_config import cfg
import testtools

from heat_extras.freeze import exempt
from tests.unit.freeze import test_window


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

    def test_the_callers_token_decides(self):
        self.assertTrue(self.is_exempt('role:member'))
        self.assertFalse(self.is_exempt('role:admin'))
        self.assertTrue(self.is_exempt('role:admin', ['admin']))
        self.assertTrue(self.is_exempt('role:admin or user_id:u1'))
        self.assertFalse(self.is_exempt('role:member and user_id:u2'))

    def test_rules_of_heats_own_policy(self):
        self.assertTrue(self.is_exempt('rule:deny_stack_user'))
        self.assertFalse(self.is_exempt('rule:deny_stack_user',
                                        ['heat_stack_user']))
        self.assertFalse(self.is_exempt('rule:no_such_rule', ['admin']))

    def test_nobody_is_exempt_by_a_rule_that_cannot_be_evaluated(self):
        logger = self.useFixture(fixtures.FakeLogger())
        rule = 'http://127.0.0.1:1/x'
        self.assertFalse(self.is_exempt(rule, ['admin']), rule)
        self.assertIn(f'the rule {rule!r} of freeze test exempts no caller',
                      logger.output)

    def test_what_there_is_not_is_false(self):
        for rule in ('role:member or rule:no_such_rule',
                     'role:member or roll:guest'):
            self.assertTrue(self.is_exempt(rule), rule)
            self.assertFalse(self.is_exempt(rule, ['guest']), rule)

    def test_nobody_is_exempt_where_nothing_says_so(self):
        self.assertFalse(self.is_exempt(None, ['admin', 'member']))
