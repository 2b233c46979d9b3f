# SPDX-License-Identifier: Apache-2.0

import os
import time

import fixtures
import testtools
from testtools import matchers
import yaml

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


class DocumentTest(testtools.TestCase):
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
                     f'things: {"[" * 5000}{"]" * 5000}'):
            error = self.assertRaises(errors.ActivationError, self.parse,
                                      text)
            self.assertThat(str(error), matchers.MatchesRegex(
                r'\[x\] y: f[.]yaml(, line 1)?: found what is no YAML \('))

    def test_what_is_too_deep_is_no_yaml(self):
        # That libyaml's composer lives through: 100,000 levels end it.
        deep = 20_000
        for text in '[' * deep, '- ' * deep, '{a: ' * deep:
            error = self.assertRaises(errors.ActivationError, self.parse,
                                      text)
            # From 0.2.6 on, libyaml has a limit of its own.
            self.assertThat(str(error), matchers.MatchesRegex(
                r'\[x\] y: f[.]yaml(: found what is no YAML \(more than 100 '
                r'levels|, line 1: found what is no YAML \(exceeded maximum '
                r'nesting depth)\), wanted YAML$'))

    def test_a_hundred_levels_are_the_most(self):
        def nested(levels):
            return f'{"[" * levels}{"]" * levels}'

        self.parse(nested(100))
        error = self.assertRaises(errors.ActivationError, self.parse,
                                  nested(101))
        self.assertEqual('[x] y: f.yaml: found what is no YAML (more than '
                         '100 levels), wanted YAML', str(error))

    def test_what_python_does_not_write_is_no_yaml(self):
        huge = '0x' + 'f' * 5000
        for text in (huge, f'things: [{huge}]', f'? {huge}\n: 1',
                     f'things: [{{name: {huge}}}]', f'!!set {{? {huge}}}'):
            error = self.assertRaises(errors.ActivationError, self.parse,
                                      text)
            self.assertEqual('[x] y: f.yaml: found what is no YAML (a number '
                             'of more than 4096 bits), wanted YAML',
                             str(error))
        self.assertEqual({'things': [1 << 64]},
                         self.parse(f'things: [{1 << 64}]').value)

    def test_what_aliases_stand_for_is_counted(self):
        # 2 ** 20 values, in some lines; and few, though there are aliases.
        for levels, is_refused in (20, True), (10, False):
            text = '\n'.join(('a0: &a0 [x, x]', *(
                f'a{level}: &a{level} [*a{level - 1}, *a{level - 1}]'
                for level in range(1, levels)), 'things: []'))
            if is_refused:
                error = self.assertRaises(errors.ActivationError, self.parse,
                                          text)
                self.assertIn('found what is no YAML (more than 1000000 '
                              'values, with', str(error))
            else:
                self.parse(text)

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

    def test_the_fast_parser_is_used_where_there_is_one(self):
        self.assertEqual(yaml.__with_libyaml__,
                         yaml_file.LOADER is not yaml.SafeLoader)

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

    def test_a_file_that_is_none(self):
        path = self.useFixture(fixtures.TempDir()).join('f.yaml')
        os.mkfifo(path)
        self.assertEqual(b'', yaml_file.read('[x] y', path))
        error = self.assertRaises(errors.ActivationError, yaml_file.read,
                                  '[x] y', '/dev/zero')
        self.assertEqual('[x] y: /dev/zero: found more than 1000000 bytes, '
                         'wanted a readable YAML file', str(error))

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
