# SPDX-License-Identifier: Apache-2.0

"""Tests of the values that differ, by path."""

import testtools

from heat_extras.plan import values

MARKER = 'not known'


class Hidden:
    """Hides these paths; its parents have a hidden part."""

    def __init__(self, *paths):
        self.paths = paths

    def is_hidden(self, path):
        return path in self.paths

    def has_hidden(self, path):
        return any(each[:len(path)] == path for each in self.paths)


class ValuesTest(testtools.TestCase):

    def found(self, before, after, *hidden):
        return values.find_differences('p', before, after, MARKER,
                                       Hidden(*hidden))

    def shown(self, *arguments):
        """Return (path, before, after) of each difference."""
        return [(values.format_path(each.path), each.before,
                 '?' if each.is_unknown else each.after)
                for each in self.found(*arguments)]

    def test_same_value_in_another_spelling_is_no_difference(self):
        for before, after in (('8', 8), (True, 'true'), ('False', False),
                              ({'a': None}, {}), ([1, '2'], ['1', 2])):
            self.assertEqual([], self.shown(before, after))
        for before, after in (('8', '08'), (None, ''), (0, False), ([], {})):
            self.assertEqual([('p', before, after)],
                             self.shown(before, after))

    def test_path_names_what_differs(self):
        self.assertEqual(
            [('p.a[1].b', 1, 2), ('p["x.y"]', None, 3)],
            self.shown({'a': [0, {'b': 1}]}, {'a': [0, {'b': 2}], 'x.y': 3}))

    def test_added_and_removed_elements_do_not_move_others(self):
        for before, after, expected in (
                ('abc', 'ac', [('p[1]', 'b', None)]),
                ('ac', 'abc', [('p[1]', None, 'b')]),
                ('abc', 'xabc', [('p[0]', None, 'x')]),
                ('aa', 'aaa', [('p[2]', None, 'a')]),
                ('abcd', 'axyzd', [('p[1]', 'b', 'x'), ('p[2]', 'c', 'y'),
                                   ('p[3]', None, 'z')]),
                ('', 'a', [('p[0]', None, 'a')])):
            self.assertEqual(expected, self.shown([*before], [*after]))

    def test_unknown_parts(self):
        for before, after, expected in (
                ('a', MARKER, [('p', 'a', '?')]),
                (None, {'a': MARKER, 'b': 1},
                 [('p.a', None, '?'), ('p.b', None, 1)]),
                ([{'a': 1}], [{'a': 1}, {'a': MARKER}],
                 [('p[1].a', None, '?')]),
                ({'a': [1, 2]}, {'a': [MARKER, 2]}, [('p.a[0]', 1, '?')])):
            self.assertEqual(expected, self.shown(before, after))

    def test_hidden_parts_have_no_values(self):
        secret = {'a': {'s': 'word'}, 'b': 1}
        for before, after in (
                (secret, {'a': {'s': 'other'}, 'b': 2}), (secret, None),
                (None, secret), (secret, {'b': 2}), (secret, 'x'),
                (secret, {'a': {'s': MARKER}}), ('x', secret)):
            found = self.found(before, after, ('p', 'a', 's'))
            self.assertEqual(
                [('p', 'a', 's')],
                [each.path for each in found if each.is_hidden])
            self.assertNotIn('word', repr(found))
            self.assertNotIn('other', repr(found))
        self.assertEqual([], self.found(secret, secret, ('p', 'a', 's')))

    def test_values_are_bounded(self):
        found, = self.found(None, 'x' * 10_000)
        self.assertEqual('x' * 4_000 + '... (6000 more characters)',
                         found.after)
        self.assertTrue(found.is_truncated)
        found, = self.found(None, list(range(5_000)))
        self.assertTrue(found.after.endswith(' more characters)'))
        self.assertLess(found.truncate(10).size, 60)
        self.assertTrue(found.truncate(9_000).is_truncated)

    def test_difference_of_long_texts_is_shown(self):
        lines = [f'line {number}' for number in range(2_000)]
        found, = self.found('\n'.join(lines), '\n'.join(
            [*lines[:1500], 'new', *lines[1501:]]))
        self.assertIn('\nline 1500\n', found.before)
        self.assertIn('\nnew\n', found.after)
        self.assertRegex(found.before, r'^\(\d+ equal characters\) \.\.\.line')

    def test_many_differences_of_a_property_are_one(self):
        before = {str(number): 0 for number in range(60)}
        self.assertEqual([('p', before, None)], self.shown(before, None))
        after = dict.fromkeys(before, 1)
        self.assertEqual([('p', before, after)], self.shown(before, after))
        hidden, = self.found(before, after, ('p', '7'))
        self.assertEqual((None, None, True), (hidden.before, hidden.after,
                                              hidden.is_hidden))
        unknown, = self.found(before, {**after, '7': MARKER})
        self.assertEqual((before, None, True), (
            unknown.before, unknown.after, unknown.is_unknown))
        texts = [{str(number): text * 3_000 for number in range(3)}
                 for text in 'ab']
        self.assertEqual(1, len(self.found(*texts)))
