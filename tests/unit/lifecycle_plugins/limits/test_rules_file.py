# SPDX-License-Identifier: Apache-2.0

import os

import fixtures
import testtools

from heat_extras import errors
from heat_extras.lifecycle_plugins.limits import rules_file

GOOD = """\
rules:
  - name: few
    limit: {types: ["OS::Nova::*"], max: 100, per: tree}
    mode: warn
    projects: [p1]
    message: ask us
  - name: tagged
    tags: [owner]
"""


class RulesTest(testtools.TestCase):

    def refusal(self, text):
        return str(self.assertRaises(errors.ActivationError, rules_file.parse,
                                     text, 'limits.yaml'))

    def test_a_good_file(self):
        few, tagged = rules_file.parse(GOOD, 'limits.yaml')
        self.assertEqual(
            rules_file.Rule('few', 'limit', {'types': ['OS::Nova::*'],
                                             'max': 100,
                                             'per': 'tree'},
                            'ask us', 'warn', ('p1',)), few)
        self.assertEqual(('tags', ['owner'], 'deny'),
                         (tagged.kind, tagged.what, tagged.mode))

    def test_errors_name_line_and_rule(self):
        for old, new, *wanted in (
                ('max: 100', 'max: many', 'line 3, rule few', "'many'"),
                ('mode: warn', 'mode: tell', 'line 4, rule few', "'tell'"),
                ('message', 'massage', 'line 2, rule few', 'massage'),
                ('tags: [owner]', 'message: x', 'line 7, rule tagged',
                 'found nothing to check'),
                ('tags: [owner]', 'tags: [owner]\n    forbid: [X]',
                 'line 7, rule tagged', 'found forbid, tags'),
                ('name: tagged', 'name: few', 'line 7, rule few',
                 'another rule'),
                ('tags: [owner]', 'tags: [owner]\n    tags: [x]',
                 'line 9, rule tagged', 'found tags twice'),
                ('name: tagged', 'message: x', 'line 7, rule number 2',
                 "'name' is a required"),
                ('tags: [owner]', 'tags: [', 'line ', 'wanted YAML')):
            said = self.refusal(GOOD.replace(old, new))
            for part in ('limits.yaml', *wanted):
                self.assertIn(part, said)

    def test_a_property_has_one_condition_and_a_pattern_that_compiles(self):
        rule = ('rules:\n- name: az\n  property:\n    types: [X]\n'
                '    name: zone\n')
        self.assertIn('line 3, rule az: found no condition',
                      self.refusal(rule))
        self.assertIn('line 6, rule az: [ is not a pattern of RE2: ',
                      self.refusal(rule + '    pattern: "["\n'))
        self.assertIn('limits.yaml, line 6, rule az: a(?=b) is not a '
                      'pattern of RE2: invalid perl operator',
                      self.refusal(rule + '    pattern: "a(?=b)"\n'))
        self.assertIn('found any_of, pattern', self.refusal(
            rule + '    pattern: a\n    any_of: [b]\n'))

    def test_all_errors_are_told_by_line(self):
        said = self.refusal(GOOD.replace('100', 'many')
                            .replace('warn', 'tell'))
        self.assertLess(said.index('line 3'), said.index('line 4'))

    def test_all_errors_of_all_kinds_are_told_at_once(self):
        said = self.refusal(GOOD.replace('100', 'many') + """\
  - name: few
    property: {types: [X], name: zone, pattern: "[", colour: red}
  - {}
  - 5
""")
        for part in ("line 3, rule few: 'many'", 'line 9, rule few: found '
                     'another rule of this name', 'line 10, rule few: '
                     'Additional properties', 'line 10, rule few: [ is '
                     'not a pattern of RE2', 'line 11, rule number 4: '
                     "'name' is a required", 'line 11, rule number 4: found '
                     'nothing to check', 'line 12, rule number 5: 5 is not'):
            self.assertIn(part, said)

    def test_errors_begin_with_the_option(self):
        for text in ('rules: 5\n', 'rules: ['):
            self.assertTrue(self.refusal(text).startswith(
                '[heat_extras] limits_file: limits.yaml, line '))

    def test_files_that_are_no_rules(self):
        for text in ('', '- a\n', 'rules: 5\n', 'rules:\n- 5\n', 'x: y\n'):
            self.assertIn('limits.yaml, line ', self.refusal(text))

    def test_a_file_is_read(self):
        path = os.path.join(self.useFixture(fixtures.TempDir()).path, 'r')
        self.assertIn(path, str(self.assertRaises(
            errors.ActivationError, rules_file.load, path)))
        with open(path, 'w') as target:
            target.write(GOOD)
        self.assertEqual(2, len(rules_file.load(path)))
