# SPDX-License-Identifier: Apache-2.0

import random
import re
import sys
import threading
import time
from unittest import mock

import testtools

from heat_extras.plugins.limits import pattern

# Each takes Python's own matching minutes at least, see the module.
CATASTROPHES = (
    (r'([a-z]+)*-prod', 'a' * 45 + '!'),
    (r'(a|a)*b', 'a' * 45),
    (r'(?:\w+\s?)+:', 'word ' * 20),
    (r'(a?){40}a{40}x', 'a' * 40))

SAME = (
    '', 'a', 'abc', 'a|b', 'ab|cd|', '(?:a|b)*c', 'a{2,3}', 'a{,2}', 'a{2,}',
    'a{2}b?', '(a+)+', 'a*?b', '[abc]+', '[^abc]+', '[a-c]x', 'a.b', '(?s)a.b',
    '^ab$', r'\Aab\Z', '(?m)^a$\n^b$', '(?i)AB', '(?i:a)B', 'a(?i:b)',
    '(?i)[a-c]+', '(?i)[^a]', '(?x) a b # c', r'\d+', r'\D+', r'\w+', r'\W+',
    r'\s+', r'\S+', r'[\d_]+', r'[^\d]+', r'[\W]+', r'[^\W_]+', r'[^\S\n]+',
    r'(?a)\w+', r'(?a)[^\W]+', r'(?a:\d)\d', r'(?i)\w', r'[]]', r'[\]^-]+',
    r'\.', r'\x41', r'\u00e9', r'\n', '(?P<n>a)b', '()', '()*', 'é+', 'ß',
    '漢.', r'[\x00-\x1f]', '(?i)É', '(?-i:a)b', '(?i)a(?-i:b)', '[^x]',
    '(a|ab)(c|bcd)(d*)', r'\\', '{', 'a{b', 'x{,}')

TEXTS = (
    '', 'a', 'A', 'b', 'ab', 'AB', 'aB', 'abc', 'abcd', 'aa', 'aaa', 'aaaa',
    'aac', 'cd', 'ax', 'a\nb', 'a\n', '\n', '\r\n', ' ', '\x1f', '\x0b',
    '\x85', '\xa0', '\u2028', '_', '-', '5', '٣', '²', 'Ⅷ', 'é', 'É', 'ß',
    'ẞ', 'ſ', 'K', '漢', '漢a', 'a_5é', ']', '^', '-]', '.', '\\', '\x00',
    '{', 'a{b', '\U0001d7d8', '\u0301', 'x', 'x{,}', 'aé\n', 'a{,2}')


def usable(text):
    return pattern.usable(text)


class SameAsPythonTest(testtools.TestCase):

    def test_a_pattern_means_what_it_means_to_python(self):
        for wanted in SAME:
            compiled = re.compile(wanted)
            for text in TEXTS:
                self.assertEqual(
                    compiled.fullmatch(text) is not None,
                    pattern.is_match(wanted, text), (wanted, text))

    def test_made_up_patterns_do(self):
        chance = random.Random(13)
        pieces = ('a', 'b', '.', '(', ')', '*', '+', '?', '|', '[ab]', '[^a]',
                  r'\w', r'\d', r'\s', '{1,2}', '(?i:', '(?:', '^', 'é')
        tried = 0
        while tried < 300:
            wanted = ''.join(chance.choices(pieces, k=chance.randint(1, 7)))
            try:
                compiled = re.compile(wanted)
                pattern.usable(wanted)
            except (re.error, pattern.Unusable):
                continue
            tried += 1
            for text in TEXTS:
                self.assertEqual(
                    compiled.fullmatch(text) is not None,
                    pattern.is_match(wanted, text), (wanted, text))

    def test_classes_hold_the_same_characters(self):
        # But for the few hundred that one of both is too old to know.
        for name in (r'\d', r'\w', r'\s', r'[^\W_]'):
            here, there = re.compile(name), usable(name)
            different = sum(
                (here.fullmatch(char) is None) is not
                (there.fullmatch(char) is None)
                for char in map(chr, range(0x3000)))
            self.assertLess(different, 100, name)

    def test_values_that_are_no_text(self):
        self.assertTrue(pattern.is_match('1[02]', 12))
        self.assertTrue(pattern.is_match('True', True))
        self.assertTrue(pattern.is_match(r"\['a'\]", ['a']))
        self.assertFalse(pattern.is_match('1[02]', 123))


class BoundTest(testtools.TestCase):

    def test_catastrophes_are_none(self):
        for wanted, text in CATASTROPHES:
            done = threading.Thread(
                target=pattern.is_match, args=(wanted, text), daemon=True)
            done.start()
            done.join(60)
            self.assertFalse(done.is_alive(), wanted)

    def test_other_threads_run_meanwhile(self):
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
        text = ''.join(chance.choices('ab', k=pattern.LONGEST))
        self.assertFalse(pattern.is_match(r'(?s:.*a.{900}b)x', text))
        ended.set()
        watcher.join()
        self.assertGreater(len(gaps), 10)

    def test_what_is_too_long_does_not_match(self):
        self.assertTrue(pattern.is_match('a*', 'a' * pattern.LONGEST))
        self.assertFalse(pattern.is_match('a*', 'a' * (pattern.LONGEST + 1)))

    def test_what_is_no_text_does_not_match(self):
        self.assertFalse(pattern.is_match('.*', '\ud800'))
        self.assertFalse(pattern.is_match('.*', 10 ** 5000))


class UnusableTest(testtools.TestCase):

    def said(self, text):
        return str(self.assertRaises(pattern.Unusable, pattern.usable, text))

    def test_what_takes_more_than_linear_time_is_told(self):
        for text, wanted in (
                (r'(a)\1', 'found a backreference'),
                (r'(?P<x>a)(?P=x)', 'found a backreference'),
                ('a(?=b)', 'found a lookahead'),
                ('(?<=a)b', 'found a lookahead or lookbehind'),
                ('a(?!b)', 'found a negative lookahead'),
                ('(?<!a)b', 'found a negative lookahead'),
                ('(a)?b(?(1)c|d)', 'found (?(...))'),
                (r'a\b', r'found \b')):
            said = self.said(text)
            self.assertIn(wanted, said)
            self.assertIn('wanted one without', said)
            self.assertIn('use any_of', said)

    def test_case_of_ascii_alone_is_told(self):
        self.assertIn('wanted one of them', self.said('(?ai)k'))

    @testtools.skipIf(sys.version_info < (3, 11), 'this Python has neither')
    def test_what_newer_pythons_have_is_told(self):
        self.assertIn('an atomic group', self.said('(?>a)b'))
        self.assertIn('a possessive repeat', self.said('a*+b'))

    def test_what_is_no_regular_expression_is_told(self):
        for text in ('[', '(', '*', r'\p{L}', 'a{3,2}'):
            self.assertIn('wanted a regular expression', self.said(text))

    def test_what_is_too_large_is_told(self):
        for text in ('a{1001}', r'(?:\w{1000}){1000}'):
            self.assertIn('which RE2 refuses', self.said(text))

    def test_without_the_engine_it_is_told_what_to_install(self):
        other = mock.Mock(spec=['compile'])
        for found in (None, other):
            with mock.patch.dict('sys.modules', re2=found):
                self.assertIn('install google-re2', self.said(f'x{found!r}'
                                                              .strip('<>')))
