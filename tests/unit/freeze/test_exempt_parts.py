# SPDX-License-Identifier: Apache-2.0

from heat.common import context as heat_context
from heat import policies
from oslo_config import cfg
from oslo_policy import policy
import testtools

from heat_extras.freeze import exempt_parts


def _missing(rule, **rules):
    def read(text):
        return policy.RuleDefault('freeze', text).check
    return [(each.found, each.is_negated) for each in exempt_parts.missing(
        read(rule), {name: read(text) for name, text in rules.items()})]


class MissingTest(testtools.TestCase):
    def test_each_once_and_whether_under_a_not(self):
        self.assertEqual(
            [('rule:a', False), ('rule:b', True)],
            _missing('rule:a or (not rule:b and rule:a) or not not rule:a'))

    def test_what_the_rules_ask_for_that_it_names(self):
        self.assertEqual(
            [('rule:c', True), ('roll:x', False)],
            _missing('not rule:a', a='rule:b or role:x',
                     b='rule:c and not roll:x'))

    def test_rules_that_name_themselves(self):
        self.assertEqual([('rule:c', False)], _missing(
            'rule:a', a='rule:b', b='rule:a or rule:c'))

    def test_heats_own_rules_ask_for_nothing_in_vain(self):
        rules = {rule.name: rule.check for rule in policies.list_rules()}
        for name, check in rules.items():
            self.assertEqual([], [
                each for each in exempt_parts.missing(check, rules)
                if each.is_negated], name)

    def test_the_keys_are_those_of_heat(self):
        cfg.CONF([], project='heat', default_config_files=[],
                 default_config_dirs=[])
        self.addCleanup(cfg.CONF.reset)
        self.assertEqual(exempt_parts.KEYS, sorted(
            heat_context.RequestContext().to_policy_values()))
