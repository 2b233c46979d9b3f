# SPDX-License-Identifier: Apache-2.0

import pathlib

import fixtures
import testtools

from tests.harness import logs

_MIB = 1 << 20


class LogsTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.path = pathlib.Path(self.useFixture(fixtures.TempDir()).path,
                                 'log')

    def shown(self, detail):
        return b''.join(detail.iter_bytes())

    def test_earlier_content_is_omitted(self):
        self.path.write_text('before')
        detail = logs.file_content(self.path)
        with self.path.open('a') as log:
            log.write('after')
        self.assertEqual(b'after', self.shown(detail))

    def test_only_end_of_long_log_is_shown(self):
        detail = logs.file_content(self.path)
        self.path.write_bytes(b'a' * 5 * _MIB + b'end')
        shown = self.shown(detail)
        # Otherwise, the run of all tests would end.
        self.assertLess(len(shown), 4 * _MIB)
        self.assertTrue(shown.endswith(b'end'))

    def test_missing_log_is_reported(self):
        self.assertIn(b'no such file',
                      self.shown(logs.file_content(self.path)))
