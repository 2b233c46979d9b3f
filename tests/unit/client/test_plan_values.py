# SPDX-License-Identifier: Apache-2.0

"""Tests of the lines of values."""

import testtools

from heat_extras.client import plan_values


def value(path='p', before=None, after=None, **more):
    return {'property': path, 'path': path, 'before': before, 'after': after,
            'hidden': False, 'unknown': False, 'truncated': False,
            'forces_replacement': False, 'waits_for': [], **more}


def source(name, attribute=None, kind='resource'):
    return {'kind': kind, 'name': name, 'attribute': attribute}


class PlanValuesTest(testtools.TestCase):

    def lines(self, *values, action='updated', actions=()):
        return list(plan_values.format_values(
            {'path': 'n/a', 'action': action, 'values': list(values)},
            dict(actions)))

    def test_values_are_json_and_cause_of_replacement_is_marked(self):
        self.assertEqual(
            ['flavor: "m1.small" -> "m1.large"  # forces replacement',
             'net[0]: {"port": 1} -> (not set)', 'x: "\\n\\u001b" -> true'],
            self.lines(
                value('flavor', 'm1.small', 'm1.large',
                      forces_replacement=True),
                value('net[0]', {'port': 1}),
                value('x', '\n\033', True)))

    def test_hidden_values(self):
        self.assertEqual(['p: (hidden) -> (hidden)'],
                         self.lines(value(hidden=True)))
        self.assertEqual(
            ['p: (hidden) -> (known after resource b is created: ip)'],
            self.lines(value(hidden=True, unknown=True, waits_for=[
                source('b', 'ip')]), actions={'n/b': 'added'}))

    def test_new_resource_has_one_value(self):
        self.assertEqual(['p: 1', 'p: (hidden)'], self.lines(
            value(after=1), value(hidden=True), action='added'))

    def test_unknown_value_names_what_it_waits_for(self):
        for sources, text in (
                ([], '(known during the update)'),
                ([source('b')], '(known after resource b is replaced)'),
                ([source('c', 'o.k'), source('q', None, 'parameter')],
                 '(known after resource c is known: o.k, parameter q is '
                 'known)')):
            self.assertEqual(
                [f'p: "x" -> {text}  # forces replacement if it changes'],
                self.lines(value(before='x', unknown=True, waits_for=sources,
                                 forces_replacement=True),
                           actions={'n/b': 'replaced', 'b': 'updated'}))

    def test_long_texts_are_compared_by_line(self):
        lines = [f'line {number}' for number in range(40)]
        before, after = '\n'.join(lines), '\n'.join(lines[:20] + lines[21:])
        self.assertEqual(
            ['p:  # forces replacement', '   line 19', '  -line 20',
             '   line 21'],
            self.lines(value(before=before, after=after,
                             forces_replacement=True)))
        shown = self.lines(value(before=before))
        self.assertEqual(11, len(shown))
        self.assertEqual(['p:', '  -line 0'], shown[:2])
        self.assertEqual('  ... (31 more lines)', shown[-1])
        self.assertEqual(10, len(self.lines(value(
            after='\n'.join(lines[:9])))))
        self.assertEqual(['p:', '   ', '  +'], self.lines(
            value(before='a\n', after='a\n\n')))

    def test_difference_of_long_line_is_shown(self):
        line, = self.lines(value(before='x' * 500 + 'a', after='x' * 500))
        same = 'x' * 20
        self.assertEqual(f'p: ...{same}a" -> ...{same}"', line)
        line, = self.lines(value(before=1, after='y' * 500))
        self.assertEqual(f'p: 1 -> "{"y" * 96}...', line)
