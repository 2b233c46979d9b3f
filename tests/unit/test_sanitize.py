# SPDX-License-Identifier: Apache-2.0
import testtools

from heat_extras import sanitize

NO_TEXT = ('\0', '\x1b', '\x7f', '\x9b', '\ud800', '\udfff', '\uffff')


def three_bytes(letter):
    return letter <= '\uffff'


class CheckTest(testtools.TestCase):

    def test_what_people_write(self):
        for text in ('', 'db move', 'Größe\t"L"\r\n数据库', '\U0001f512',
                     # A name whose letters are joined.
                     'می\u200cخواهم'):
            sanitize.check_text('lock reason', text)

    def test_what_no_database_takes(self):
        for letter in NO_TEXT:
            error = self.assertRaises(
                ValueError, sanitize.check_text, 'lock reason', f'ab{letter}c')
            self.assertIn(f'lock reason: character U+{ord(letter):04X} at '
                          'position 3', str(error))
            str(error).encode('ascii')

    def test_what_this_database_does_not_take(self):
        error = self.assertRaises(
            ValueError, sanitize.check_text, 'lock reason', 'a\U0001f512',
            three_bytes, 'utf8mb3')
        self.assertIn('character U+1F512 at position 2', str(error))
        self.assertIn('(character set utf8mb3)', str(error))


class StorableTest(testtools.TestCase):

    def test_a_text_stays_as_it_is(self):
        for text in ('', 'two\nlines', 'Zürich 100%', 'x' * 65_535):
            self.assertEqual(text, sanitize.make_storable(text))

    def test_what_is_no_text_is_written_out(self):
        self.assertEqual(r'a\x00\x1b[2J\ud800\uffff',
                         sanitize.make_storable('a\0\x1b[2J\ud800\uffff'))

    def test_what_the_database_does_not_take_is_written_out(self):
        self.assertEqual(r'数 \U0001f512',
                         sanitize.make_storable('数 \U0001f512', three_bytes))

    def test_length_in_bytes(self):
        for letter in ('n', 'ä', '数', '\U0001f512', '\0'):
            for count in (10_000, 21_845, 21_846, 65_535, 65_536, 200_000):
                storable = sanitize.make_storable(letter * count)
                self.assertLessEqual(len(storable.encode()), sanitize.TEXT)
                if len((letter * count).encode()) > sanitize.TEXT:
                    self.assertIn('more characters)', storable)

    def test_how_much_is_left_out(self):
        storable = sanitize.make_storable('数' * 30_000)
        kept, left_out = storable.split('... (')
        self.assertEqual(30_000, len(kept) + int(left_out.split()[0]))

    def test_length_in_characters(self):
        self.assertEqual('数' * 255,
                         sanitize.make_storable('数' * 255, None, 255))
        self.assertEqual('数' * 252 + '...',
                         sanitize.make_storable('数' * 256, None, 255))


class ListingTest(testtools.TestCase):

    def test_all_where_there_is_room(self):
        self.assertEqual('a; b; c', sanitize.join_some(['a', 'b', 'c']))
        self.assertEqual('', sanitize.join_some([]))

    def test_as_many_as_there_is_room_for(self):
        names = [f'resource {number} ' + 'n' * 400 for number in range(450)]
        joined = sanitize.join_some(names)
        self.assertLessEqual(len(joined), 60_020)
        self.assertIn('resource 100 ', joined)
        named = joined.count('resource')
        self.assertTrue(joined.endswith(f'; and {450 - named} more'))

    def test_no_more_than_wanted(self):
        self.assertEqual('a, b, and 3 more',
                         sanitize.join_some('abcde', ', ', most=2))

    def test_one_that_is_too_long_by_itself(self):
        joined = sanitize.join_some(['x' * 100_000, 'y'])
        self.assertLess(len(joined), 60_020)
        self.assertTrue(joined.endswith('; and 1 more'))

    def test_halves_of_surrogate_pairs_have_a_length(self):
        self.assertEqual('\ud800; b', sanitize.join_some(['\ud800', 'b']))


class PrintableTest(testtools.TestCase):

    def test_nothing_is_obeyed(self):
        self.assertEqual(
            r'a\x1b[2J\n\r\t\x9b\u202e\u2066\x7f',
            sanitize.printable('a\x1b[2J\n\r\t\x9b\u202e\u2066\x7f'))
        self.assertEqual('', sanitize.printable(None))
        self.assertEqual('12', sanitize.printable(12))

    def test_what_the_terminal_does_not_have_is_written_out(self):
        self.assertEqual(r'Gr\xfc\xdfe', sanitize.printable('Grüße', 'ascii'))
        self.assertEqual('Grüße', sanitize.printable('Grüße', 'utf-8'))
        self.assertEqual(r'\ud800', sanitize.printable('\ud800', 'utf-8'))

    def test_a_cell_is_no_formula(self):
        for text in ('=1+1', '+1', '-1', '@SUM(1)', '  =1', '＝1', '－1'):
            self.assertEqual("'" + text, sanitize.csv_cell(text))
        self.assertEqual(r"'\t=1", sanitize.csv_cell('\t=1'))
        self.assertEqual(r"'\r=1", sanitize.csv_cell('\r=1'))
        for value in ('web', '1-2', 'a=b', '', -5, 1.5, True, None):
            self.assertEqual(value, sanitize.csv_cell(value))

    def test_a_value_that_is_quoted_is_short_and_ascii(self):
        self.assertEqual(r"'\ud800\u6570'", sanitize.quote('\ud800数'))
        self.assertLessEqual(len(sanitize.quote('x' * 1000)), 100)


class AsWrittenTest(testtools.TestCase):

    def test_values_stand_there_as_in_yaml(self):
        for value, shown in (
                (True, 'true'), (None, 'null'), (7, '7'), ('maybe', 'maybe'),
                ('false', "'false'"), ('Größe', 'Größe'),
                ({'replace': False}, '{replace: false}'),
                ([1, 'a b'], '[1, a b]')):
            self.assertEqual(shown, sanitize.to_yaml(value))

    def test_one_line_of_what_a_terminal_shows(self):
        for value in ('a\nb', '\x1b[2J', 'x ' * 500, {'a': 'y ' * 500},
                      '\ud800', object()):
            shown = sanitize.to_yaml(value)
            self.assertTrue(shown.isprintable(), ascii(shown))
            self.assertLessEqual(len(shown), 100)
