# SPDX-License-Identifier: Apache-2.0

import json
import os
import random
import threading
import time
from unittest import mock

import fixtures
import testtools

from heat_extras.lifecycle_plugins.limits import rules_file
from heat_extras import operator_errors

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
        return str(
            self.assertRaises(operator_errors.ActivationError,
                              rules_file.parse_rules, text, 'limits.yaml'))

    def test_valid_rules_are_parsed(self):
        few, tagged = rules_file.parse_rules(GOOD, 'limits.yaml')
        self.assertEqual(
            rules_file.Rule('few', 'limit', {'types': ['OS::Nova::*'],
                                             'max': 100,
                                             'per': 'tree'},
                            'ask us', 'warn', ['p1']), few)
        self.assertEqual(('tags', ['owner'], 'deny'),
                         (tagged.kind, tagged.value, tagged.mode))

    def test_errors_include_rule_and_key(self):
        for old, new, *wanted in (
                ('max: 100', 'max: many', 'rule few', "'many'"),
                ('mode: warn', 'mode: tell', 'rule few', "'tell'"),
                ('message', 'massage', 'rule few', 'massage'),
                ('tags: [owner]', 'message: x', 'rule tagged',
                 'expected exactly one of the keys limit, forbid'),
                ('tags: [owner]', 'tags: [owner]\n    forbid: [X]',
                 'rule tagged', 'expected exactly one of the keys limit, '
                                'forbid'),
                ('name: tagged', 'name: few', 'rule few',
                 'another rule'),
                ('tags: [owner]', 'tags: [owner]\n    tags: [x]',
                 'line 9: the key "tags" is repeated'),
                ('name: tagged', 'message: x', 'rule number 2',
                 'the key "name" is missing'),
                ('tags: [owner]', 'tags: [', 'line ', 'not valid YAML')):
            message = self.refusal(GOOD.replace(old, new))
            for part in ('limits.yaml', *wanted):
                self.assertIn(part, message)

    def test_property_requires_one_condition_and_valid_pattern(self):
        rule = ('rules:\n'
                '- name: az\n'
                '  property:\n'
                '    types: [X]\n'
                '    name: zone\n')
        self.assertIn('rule az: property: expected exactly one of the keys '
                      'any_of', self.refusal(rule))
        self.assertIn("rule az: property.pattern: '[' is not valid: expected "
                      'a pattern of RE2 (',
                      self.refusal(rule + '    pattern: "["\n'))
        self.assertIn("limits.yaml, rule az: property.pattern: 'a(?=b)' is "
                      'not valid: expected a pattern of RE2 (invalid perl '
                      'operator',
                      self.refusal(rule + '    pattern: "a(?=b)"\n'))
        self.assertIn('expected exactly one of the keys any_of', self.refusal(
            rule + '    pattern: a\n    any_of: [b]\n'))

    def test_all_errors_of_rule_are_listed_together(self):
        message = self.refusal(GOOD.replace('100', 'many').replace('warn',
                                                                   'tell'))
        self.assertIn('rule few: limit.max: ', message)
        self.assertIn('rule few: mode: ', message)

    def test_all_errors_of_file_are_listed_together(self):
        message = self.refusal(GOOD.replace('100', 'many') + """\
  - name: few
    property: {types: [X], name: zone, pattern: "[", colour: red}
  - {}
  - 5
""")
        for part in ("rule few: limit.max: 'many'",
                     'rule few: another rule has the same name',
                     "rule few: property: the key 'colour' is not valid",
                     "rule few: property.pattern: '[' is not valid",
                     'rule number 4: the key "name" is missing',
                     'rule number 4: expected exactly one of the keys',
                     'rule number 5: 5 is not valid: expected keys with'):
            self.assertIn(part, message)

    def test_errors_begin_with_the_option(self):
        for text in ('rules: 5\n', 'rules: ['):
            self.assertTrue(self.refusal(text).startswith(
                '[heat_extras] limits_file: limits.yaml'))

    def test_files_without_rules_are_rejected(self):
        for text in ('', '- a\n', 'rules: 5\n', 'rules:\n- 5\n', 'x: y\n'):
            self.assertIn('limits.yaml', self.refusal(text))

    def test_file_is_loaded_from_path(self):
        path = os.path.join(self.useFixture(fixtures.TempDir()).path, 'r')
        self.assertIn(path, str(self.assertRaises(
            operator_errors.ActivationError, rules_file.load_rules, path)))
        with open(path, 'w') as target:
            target.write(GOOD)
        self.assertEqual(2, len(rules_file.load_rules(path)))


# Python's re module needs at least minutes for each: see the module.
CATASTROPHES = (
    (r'([a-z]+)*-prod', 'a' * 45 + '!'),
    (r'(a|a)*b', 'a' * 45),
    (r'(?:\w+\s?)+:', 'word ' * 20),
    (r'(a?){40}a{40}x', 'a' * 40))


class MatchesPatternTest(testtools.TestCase):

    def test_patterns_have_re2_syntax(self):
        for wanted, text, is_match in (
                ('[a-z]+-(prod|test)', 'web-prod', True),
                ('[a-z]+-(prod|test)', 'web-prod-2', False),
                (r'\d+', '12', True), (r'\d+', '\u0663', False),
                (r'\p{Nd}+', '\u0663', True), (r'(?i)web', 'WEB', True),
                ('a.b', 'a\nb', False), ('(?s)a.b', 'a\nb', True)):
            self.assertEqual(is_match, rules_file.matches_pattern(
                wanted, text), (wanted, text))

    def test_other_values_are_matched_as_text(self):
        self.assertTrue(rules_file.matches_pattern('1[02]', 12))
        self.assertTrue(rules_file.matches_pattern('True', True))
        self.assertTrue(rules_file.matches_pattern(r"\['a'\]", ['a']))
        self.assertFalse(rules_file.matches_pattern('1[02]', 123))


class MatchTimeTest(testtools.TestCase):

    def test_backtracking_patterns_are_matched_quickly(self):
        for wanted, text in CATASTROPHES:
            done = threading.Thread(target=rules_file.matches_pattern,
                                    args=(wanted, text), daemon=True)
            done.start()
            done.join(60)
            self.assertFalse(done.is_alive(), wanted)

    def test_other_threads_run_during_match(self):
        ended = threading.Event()
        gaps = []

        def watch():
            last = time.monotonic()
            while not ended.is_set():
                time.sleep(0.001)
                gaps.append(time.monotonic() - last)
                last = time.monotonic()

        watcher = threading.Thread(target=watch)
        watcher.start()
        chance = random.Random(1)
        text = ''.join(chance.choices('ab', k=rules_file.MAX_CHARACTERS))
        self.assertFalse(rules_file.matches_pattern(r'(?s:.*a.{900}b)x', text))
        ended.set()
        watcher.join()
        self.assertGreater(len(gaps), 10)

    def test_too_long_value_does_not_match(self):
        longest = 'a' * rules_file.MAX_CHARACTERS
        self.assertTrue(rules_file.matches_pattern('a*', longest))
        self.assertFalse(rules_file.matches_pattern('a*', longest + 'a'))

    def test_unencodable_value_does_not_match(self):
        self.assertFalse(rules_file.matches_pattern('.*', '\ud800'))
        self.assertFalse(rules_file.matches_pattern('.*', 10 ** 5000))


class InvalidPatternTest(testtools.TestCase):

    def said(self, text):
        return str(
            self.assertRaises(
                operator_errors.ActivationError, rules_file.parse_rules,
                json.dumps({
                    'rules': [{
                        'name': 'r', 'property':
                        {'types': ['X'], 'name': 'p', 'pattern': text}
                    }]
                }), 'limits.yaml'))

    def test_invalid_pattern_has_error_of_re2(self):
        for text, wanted in (
                (r'(a)\1', 'invalid escape sequence'),
                ('a(?=b)', 'invalid perl operator'),
                ('[', 'missing ]'), ('(', 'missing )'),
                ('a{1001}', 'invalid repetition size'),
                (r'(?:\w{1000}){1000}', 'invalid repetition size')):
            message = self.said(text)
            self.assertIn(f'{text!r} is not valid: expected a pattern of '
                          'RE2 (', message)
            self.assertIn(wanted, message)

    def test_error_without_re2_states_what_to_install(self):
        other = mock.Mock(spec=['compile'])
        for module in (None, other):
            with mock.patch.dict('sys.modules', re2=module):
                self.assertIn('install google-re2', self.said(
                    f'x{id(module)}'))
