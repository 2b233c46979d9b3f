# SPDX-License-Identifier: Apache-2.0

import io
import sys
import time

import fixtures
import testtools

from heat_extras.sandbox import progress_line


class Terminal(io.StringIO):

    def isatty(self):
        return True


class ProgressLineTest(testtools.TestCase):

    def shown(self, out, *texts, **options):
        self.patch(sys, 'stderr', out)
        with progress_line.ProgressLine(texts[0], **options) as line:
            for each in texts[1:]:
                time.sleep(0.5)
                line.show(each)
            time.sleep(0.5)
        return out.getvalue()

    def test_each_text_is_a_line_without_terminal(self):
        self.assertEqual(
            'importing ...\ncreating ...\n',
            self.shown(io.StringIO(), 'importing', 'creating'))

    def test_line_on_terminal_is_removed_at_end(self):
        text = self.shown(Terminal(), 'importing')
        self.assertNotIn('\n', text)
        self.assertTrue(text.startswith('\r\x1b[K| importing (0 s)'), text)
        self.assertTrue(text.endswith('\r\x1b[K'), text)

    def test_line_is_no_wider_than_terminal(self):
        self.patch(progress_line, '_columns', lambda: 20)
        text = self.shown(Terminal(), 'x' * 30)
        for line in text.split('\r\x1b[K'):
            self.assertIn(line[1:], ('', ' ' + 'x' * 17))

    def test_width_is_80_if_terminal_does_not_report_width(self):
        self.patch(sys, 'stderr', Terminal())
        self.assertEqual(80, progress_line._columns())

    def test_each_text_is_a_line_on_dumb_terminal(self):
        with fixtures.EnvironmentVariable('TERM', 'dumb'):
            self.assertEqual('importing ...\n',
                             self.shown(Terminal(), 'importing'))

    def test_nothing_is_shown_before_delay(self):
        self.assertEqual('', self.shown(io.StringIO(), 'importing', delay=30))
        self.assertNotIn('importing',
                         self.shown(Terminal(), 'importing', delay=30))

    def test_nothing_is_printed_after_end(self):
        out = Terminal()
        text = self.shown(out, 'importing')
        time.sleep(0.5)
        self.assertEqual(text, out.getvalue())
