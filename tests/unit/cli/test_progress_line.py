# SPDX-License-Identifier: Apache-2.0

import fcntl
import io
import os
import pty
import re
import struct
import termios
import time

import fixtures
import testtools

from heat_extras.cli import progress_line


class Terminal(io.StringIO):

    def isatty(self):
        return True


class ProgressLineTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.patch(progress_line, '_EVERY', 0.3)

    def shown(self, out, text, *later, **options):
        with progress_line.ProgressLine(text, out=out, **options) as line:
            for each in later:
                time.sleep(1)
                line.text = each
            time.sleep(1)
        return out.getvalue()

    def test_elsewhere_a_line_is_repeated(self):
        lines = self.shown(io.StringIO(), 'importing').splitlines()
        self.assertEqual('importing ...', lines[0])
        self.assertLessEqual(3, len(lines))
        for line in lines[1:]:
            self.assertRegex(line, r'^importing, \d s so far$')

    def test_another_text_is_shown_at_once(self):
        lines = self.shown(io.StringIO(), 'importing',
                           'creating').splitlines()
        self.assertIn('creating ...', lines)

    def test_a_terminal_has_one_line_which_is_removed(self):
        text = self.shown(Terminal(), 'importing')
        self.assertNotIn('\n', text)
        self.assertTrue(text.startswith('\r\x1b[K| importing (0 s)'), text)
        self.assertTrue(text.endswith('\r\x1b[K'), text)

    def test_it_is_no_wider_than_the_terminal(self):
        ours, theirs = pty.openpty()
        self.addCleanup(os.close, ours)
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack('4H', 9, 20, 0, 0))
        with open(theirs, 'w') as out:
            with progress_line.ProgressLine('x' * 30, out=out):
                time.sleep(0.5)
            for shown in os.read(ours, 4096).decode().split('\r\x1b[K')[1:]:
                self.assertIn(shown, ('| ' + 'x' * 17, '/ ' + 'x' * 17,
                                      '- ' + 'x' * 17, ''))

    def test_a_terminal_without_control_sequences_has_lines(self):
        with fixtures.EnvironmentVariable('TERM', 'dumb'):
            self.assertTrue(self.shown(Terminal(), 'importing').startswith(
                'importing ...\n'))

    def test_what_is_over_soon_is_not_shown(self):
        for out in (io.StringIO(), Terminal()):
            self.assertEqual('', self.shown(out, 'importing', delay=30))

    def test_after_the_delay_it_says_how_long_it_has_been(self):
        self.assertRegex(
            self.shown(io.StringIO(), 'creating', 'creating', delay=1),
            r'^creating, 1 s so far\n')

    def test_it_is_hidden_while_something_else_is_printed(self):
        out = Terminal()
        with progress_line.ProgressLine('locking', out=out) as line:
            with line.hidden():
                print('an event', file=out)
                time.sleep(0.5)
                print('another', file=out)
        self.assertIn('\r\x1b[Kan event\nanother\n', out.getvalue())

    def test_it_does_not_print_after_its_end(self):
        out = Terminal()
        text = self.shown(out, 'importing')
        time.sleep(0.5)
        self.assertEqual(text, out.getvalue())
        self.assertIsNone(re.search(r'\n', text))
