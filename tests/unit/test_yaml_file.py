# SPDX-License-Identifier: Apache-2.0

import testtools
from testtools import matchers

from heat_extras import operator_errors
from heat_extras import yaml_file

TEXT = """\
things:
  - name: one
    size: 1
  - name: one
    size: 2
"""


class YamlFileTest(testtools.TestCase):
    def parse(self, text=TEXT):
        return yaml_file.parse('[x] y', 'f.yaml', text, 'things', 'thing')

    def test_problems_are_in_order_of_entries(self):
        document = self.parse()
        error = self.assertRaises(
            operator_errors.ActivationError, document.raise_problems,
            [(('things', 1, 'size', 'most'), 'is not valid'),
             *document.repeated_names(), (('other',), 'x')])
        self.assertEqual((
            '[x] y: f.yaml: x',
            '[x] y: f.yaml, thing one: another thing has the same name',
            '[x] y: f.yaml, thing one: size.most: is not valid'),
            error.args)

    def test_repeated_key_is_rejected(self):
        document = self.parse(TEXT + '    size: 3\n')
        error = self.assertRaises(
            operator_errors.ActivationError, document.raise_problems,
            document.repeated_names())
        self.assertEqual('[x] y: f.yaml, line 6: the key "size" is repeated: '
                         'expected each key only once', error.args[0])
        self.assertEqual(2, len(error.args))

    def test_no_problems_raise_no_error(self):
        self.assertIsNone(self.parse().raise_problems([]))

    def test_values_that_pyyaml_cannot_load_are_rejected(self):
        for text in ('things: [!!int abc]', 'things: [!!bool abc]',
                     'things: [!!timestamp abc]', 'things: [!!float abc]',
                     f'things: [{"9" * 5000}]', 'things: &a [*a]',
                     '&a things: []\nx: &b {y: *b}',
                     f'things: {"[" * 5000}{"]" * 5000}',
                     f'things: [0x{"f" * 5000}]'):
            error = self.assertRaises(operator_errors.ActivationError,
                                      self.parse, text)
            self.assertThat(str(error), matchers.MatchesRegex(
                r'\[x\] y: f[.]yaml(, line 1)?: not valid YAML: '))

    def test_error_is_one_line(self):
        for text, wanted in (
                ('things:\n\t- name: a', "line 2: not valid YAML: "
                 "found character '\\t' that"),
                ('things: [\1]', 'not valid YAML: unacceptable')):
            error = self.assertRaises(operator_errors.ActivationError,
                                      self.parse, text)
            self.assertIn(wanted, str(error))
            self.assertNotIn('\n', str(error))
        error = self.assertRaises(
            operator_errors.ActivationError,
            self.parse('things: [{name: "a\\nb"}]').raise_problems,
            [(('things', 0, 'size'), 'x')])
        self.assertEqual('[x] y: f.yaml, thing a\\nb: size: x', str(error))

    def test_document_without_list_has_no_entries(self):
        for text in '', '[]', 'things: 7', 'other: []':
            self.assertEqual([], self.parse(text).entries())
        self.assertEqual([7], self.parse('things: [7]').entries())
        self.assertEqual([], [*self.parse('things: [7]').repeated_names()])

    def test_unnamed_entry_is_reported_by_number(self):
        error = self.assertRaises(
            operator_errors.ActivationError,
            self.parse('things:\n- size: 1').raise_problems,
            [(('things', 0, 'size'), 'x')])
        self.assertIn('thing number 1: size: x', str(error))
