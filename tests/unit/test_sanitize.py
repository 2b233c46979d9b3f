# SPDX-License-Identifier: Apache-2.0
import testtools

from heat_extras import sanitize

NO_TEXT = ('\0', '\x1b', '\x7f', '\x9b', '\ud800', '\udfff', '\uffff')


def three_bytes(letter):
    return letter <= '\uffff'


class CheckTextTest(testtools.TestCase):

    def test_usual_text_is_accepted(self):
        for text in ('', 'db move', 'Größe\t"L"\r\n数据库', '\U0001f512',
                     # A name whose letters are joined.
                     'می\u200cخواهم'):
            sanitize.check_text('lock reason', text)

    def test_unstorable_character_is_rejected_with_position(self):
        for letter in NO_TEXT:
            error = self.assertRaises(
                ValueError, sanitize.check_text, 'lock reason', f'ab{letter}c')
            self.assertIn(f'lock reason: character U+{ord(letter):04X} at '
                          'position 3', str(error))
            str(error).encode('ascii')

    def test_character_outside_charset_is_rejected(self):
        error = self.assertRaises(
            ValueError, sanitize.check_text, 'lock reason', 'a\U0001f512',
            three_bytes, 'utf8mb3')
        self.assertIn('character U+1F512 at position 2', str(error))
        self.assertIn('(character set utf8mb3)', str(error))


class MakeStorableTest(testtools.TestCase):

    def test_storable_text_is_unchanged(self):
        for text in ('', 'two\nlines', 'Zürich 100%', 'x' * 65_535):
            self.assertEqual(text, sanitize.make_storable(text))

    def test_unstorable_characters_are_escaped(self):
        self.assertEqual(r'a\x00\x1b[2J\ud800\uffff',
                         sanitize.make_storable('a\0\x1b[2J\ud800\uffff'))

    def test_characters_outside_charset_are_escaped(self):
        self.assertEqual(r'数 \U0001f512',
                         sanitize.make_storable('数 \U0001f512', three_bytes))

    def test_text_is_cut_to_size_in_bytes(self):
        for letter in ('n', 'ä', '数', '\U0001f512', '\0'):
            for count in (10_000, 21_845, 21_846, 65_535, 65_536, 200_000):
                storable = sanitize.make_storable(letter * count)
                self.assertLessEqual(len(storable.encode()), sanitize.TEXT)
                if len((letter * count).encode()) > sanitize.TEXT:
                    self.assertIn('more characters)', storable)

    def test_cut_text_states_number_of_omitted_characters(self):
        storable = sanitize.make_storable('数' * 30_000)
        kept, left_out = storable.split('... (')
        self.assertEqual(30_000, len(kept) + int(left_out.split()[0]))

    def test_text_is_cut_to_number_of_characters(self):
        self.assertEqual('数' * 255,
                         sanitize.make_storable('数' * 255, None, 255))
        self.assertEqual('数' * 252 + '...',
                         sanitize.make_storable('数' * 256, None, 255))


class JoinSomeTest(testtools.TestCase):

    def test_all_names_are_joined_if_they_fit(self):
        self.assertEqual('a; b; c', sanitize.join_some(['a', 'b', 'c']))
        self.assertEqual('', sanitize.join_some([]))

    def test_names_are_joined_up_to_size_limit(self):
        names = [f'resource {number} ' + 'n' * 400 for number in range(450)]
        joined = sanitize.join_some(names)
        self.assertLessEqual(len(joined), 60_020)
        self.assertIn('resource 100 ', joined)
        named = joined.count('resource')
        self.assertTrue(joined.endswith(f'; and {450 - named} more'))

    def test_names_are_joined_up_to_given_number(self):
        self.assertEqual('a, b, and 3 more',
                         sanitize.join_some('abcde', ', ', most=2))

    def test_single_long_name_is_cut(self):
        joined = sanitize.join_some(['x' * 100_000, 'y'])
        self.assertLess(len(joined), 60_020)
        self.assertTrue(joined.endswith('; and 1 more'))

    def test_lone_surrogates_are_joined(self):
        self.assertEqual('\ud800; b', sanitize.join_some(['\ud800', 'b']))


class PrintableTest(testtools.TestCase):

    def test_terminal_control_characters_are_escaped(self):
        self.assertEqual(
            r'a\x1b[2J\n\r\t\x9b\u202e\u2066\x7f',
            sanitize.printable('a\x1b[2J\n\r\t\x9b\u202e\u2066\x7f'))
        self.assertEqual('', sanitize.printable(None))
        self.assertEqual('12', sanitize.printable(12))

    def test_unencodable_characters_are_escaped(self):
        self.assertEqual(r'Gr\xfc\xdfe', sanitize.printable('Grüße', 'ascii'))
        self.assertEqual('Grüße', sanitize.printable('Grüße', 'utf-8'))
        self.assertEqual(r'\ud800', sanitize.printable('\ud800', 'utf-8'))

    def test_csv_formula_is_quoted(self):
        for text in ('=1+1', '+1', '-1', '@SUM(1)', '  =1', '＝1', '－1'):
            self.assertEqual("'" + text, sanitize.csv_cell(text))
        self.assertEqual(r"'\t=1", sanitize.csv_cell('\t=1'))
        self.assertEqual(r"'\r=1", sanitize.csv_cell('\r=1'))
        for value in ('web', '1-2', 'a=b', '', -5, 1.5, True, None):
            self.assertEqual(value, sanitize.csv_cell(value))

    def test_quoted_value_is_short_and_ascii(self):
        self.assertEqual(r"'\ud800\u6570'", sanitize.quote('\ud800数'))
        self.assertLessEqual(len(sanitize.quote('x' * 1000)), 100)


class ToYamlTest(testtools.TestCase):

    def test_values_are_shown_as_yaml(self):
        for value, shown in (
                (True, 'true'), (None, 'null'), (7, '7'), ('maybe', 'maybe'),
                ('false', "'false'"), ('Größe', 'Größe'),
                ({'replace': False}, '{replace: false}'),
                ([1, 'a b'], '[1, a b]')):
            self.assertEqual(shown, sanitize.to_yaml(value))

    def test_yaml_is_one_short_printable_line(self):
        for value in ('a\nb', '\x1b[2J', 'x ' * 500, {'a': 'y ' * 500},
                      '\ud800', object()):
            shown = sanitize.to_yaml(value)
            self.assertTrue(shown.isprintable(), ascii(shown))
            self.assertLessEqual(len(shown), 100)
