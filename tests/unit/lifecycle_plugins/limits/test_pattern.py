# SPDX-License-Identifier: Apache-2.0

import random
import threading
import time
from unittest import mock

import testtools

from heat_extras.lifecycle_plugins.limits import pattern

# Each takes Python's own matching minutes at least, see the module.
CATASTROPHES = (
    (r'([a-z]+)*-prod', 'a' * 45 + '!'),
    (r'(a|a)*b', 'a' * 45),
    (r'(?:\w+\s?)+:', 'word ' * 20),
    (r'(a?){40}a{40}x', 'a' * 40))


class MatchTest(testtools.TestCase):

    def test_the_syntax_is_that_of_re2(self):
        for wanted, text, is_match in (
                ('[a-z]+-(prod|test)', 'web-prod', True),
                ('[a-z]+-(prod|test)', 'web-prod-2', False),
                (r'\d+', '12', True), (r'\d+', '\u0663', False),
                (r'\p{Nd}+', '\u0663', True), (r'(?i)web', 'WEB', True),
                ('a.b', 'a\nb', False), ('(?s)a.b', 'a\nb', True)):
            self.assertEqual(is_match, pattern.is_match(wanted, text),
                             (wanted, text))

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

    def test_the_error_is_that_of_re2(self):
        for text, wanted in (
                (r'(a)\1', 'invalid escape sequence'),
                ('a(?=b)', 'invalid perl operator'),
                ('[', 'missing ]'), ('(', 'missing )'),
                ('a{1001}', 'invalid repetition size'),
                (r'(?:\w{1000}){1000}', 'invalid repetition size')):
            said = self.said(text)
            self.assertIn(f'{text} is not a pattern of RE2: ', said)
            self.assertIn(wanted, said)

    def test_without_the_engine_it_is_told_what_to_install(self):
        other = mock.Mock(spec=['compile'])
        for found in (None, other):
            with mock.patch.dict('sys.modules', re2=found):
                self.assertIn('install google-re2', self.said(f'x{found!r}'
                                                              .strip('<>')))
