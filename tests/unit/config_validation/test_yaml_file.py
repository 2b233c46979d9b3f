# SPDX-License-Identifier: Apache-2.0

import time

import testtools
from testtools import matchers

from heat_extras.config_validation import yaml_file
from heat_extras import errors

TEXT = """\
things:
  - name: one
    size: 1
  - name: one
    size: 2
    size: 3
"""


class YamlFileTest(testtools.TestCase):
    def parse(self, text=TEXT):
        return yaml_file.parse('[x] y', 'f.yaml', text, 'things', 'thing')

    def test_problems_are_told_in_the_order_of_their_lines(self):
        found = self.parse()
        error = self.assertRaises(
            errors.ActivationError, found.refuse,
            [*found.repeated(), *found.named(), (('other',), 'x'),
             (('things', 0, 'size'), 'found 1, wanted 2')])
        self.assertEqual((
            '[x] y: f.yaml, line 1: x',
            '[x] y: f.yaml, line 2, thing one: found another thing of this '
            'name',
            '[x] y: f.yaml, line 3, thing one: found 1, wanted 2',
            '[x] y: f.yaml, line 4, thing one: found another thing of this '
            'name',
            '[x] y: f.yaml, line 6, thing one: found size twice'),
            error.args)

    def test_nothing_is_wrong(self):
        self.assertIsNone(self.parse().refuse([]))

    def test_what_pyyaml_stumbles_over_is_no_yaml(self):
        for text in ('things: [!!int abc]', 'things: [!!bool abc]',
                     'things: [!!timestamp abc]', 'things: [!!float abc]',
                     f'things: [{"9" * 5000}]', 'things: &a [*a]',
                     '&a things: []\nx: &b {y: *b}',
                     f'things: {"[" * 5000}{"]" * 5000}',
                     f'things: [0x{"f" * 5000}]'):
            error = self.assertRaises(errors.ActivationError, self.parse,
                                      text)
            self.assertThat(str(error), matchers.MatchesRegex(
                r'\[x\] y: f[.]yaml(, line 1)?: found what is no YAML \('))

    def test_one_with_many_keys_holds_nobody_up(self):
        # An engine that notices it does nothing else meanwhile.
        names = [f'key{number}' for number in range(20_000)]
        begun = time.process_time()
        found = self.parse('things: [{%s}]' % ', '.join(
            f'{name}: 1' for name in names))
        error = self.assertRaises(
            errors.ActivationError, found.refuse,
            [*found.repeated(), *((('things', 0, name), f'found {name}')
                                  for name in names)])
        self.assertEqual(len(names), len(error.args))
        self.assertLess(time.process_time() - begun, 6)

    def test_what_is_told_is_one_line(self):
        for text, wanted in (
                ('things:\n\t- name: a', "line 2: found what is no YAML "
                 "(found character '\\t' that"),
                ('things: [\1]', 'found what is no YAML (unacceptable')):
            error = self.assertRaises(errors.ActivationError, self.parse,
                                      text)
            self.assertIn(wanted, str(error))
            self.assertNotIn('\n', str(error))
        error = self.assertRaises(
            errors.ActivationError,
            self.parse('things: [{name: "a\\nb"}]').refuse,
            [(('things', 0, 'size'), 'x')])
        self.assertEqual('[x] y: f.yaml, line 1, thing a\\nb: x', str(error))

    def test_entries_that_are_none(self):
        for text in '', '[]', 'things: 7', 'other: []':
            self.assertEqual([], self.parse(text).entries())
        self.assertEqual([7], self.parse('things: [7]').entries())
        self.assertEqual([], [*self.parse('things: [7]').named()])

    def test_an_entry_without_a_name_has_its_number(self):
        error = self.assertRaises(
            errors.ActivationError, self.parse('things:\n- size: 1').refuse,
            [(('things', 0, 'size'), 'x')])
        self.assertIn('line 2, thing number 1: x', str(error))
