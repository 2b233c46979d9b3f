# SPDX-License-Identifier: Apache-2.0

"""Engines report the freezes in effect."""

import json

from heat_extras.sandbox import process
from tests.functional import freeze_base
from tests.harness import waiting


class ReportTest(freeze_base.FreezeTestCase):
    more = '[DEFAULT]\nperiodic_interval = 1\n'

    def checked(self):
        done = self.sandbox.run('heat-extras-status', 'upgrade', 'check',
                                '--json', with_settings=True)
        report = json.loads(done.stdout[done.stdout.index('{'):])
        return next(each for each in report['checks'] if each['check']
                    == 'Freezes')

    def until(self, result, *parts):
        waiting.until(f'{result}: {parts}', self.checked, lambda value:
                      value['result'] == result and all(
                          part in (value['details'] or '')
                          for part in parts))

    def test_invalid_freezes_file_is_counted_and_reported(self):
        self.freeze()
        self.until(0, '1 live engine with freezes_file')
        errors = 'freezes_file_errors_total{file="unusable"}'
        before = self.counted(errors)
        # Nobody asks anything of the engine.
        self.freeze(begin='soon')
        self.until(1, 'whose freezes_file has errors')
        self.assertEqual((before + 1, 1), (
            self.counted(errors),
            self.counted('engines_with_unusable_freezes')))
        self.freeze()
        self.until(0, '1 live engine with freezes_file')
        self.assertEqual((before + 1, 0), (
            self.counted(errors),
            self.counted('engines_with_unusable_freezes')))

    def test_invalid_freezes_file_prevents_engine_start(self):
        self.freeze(begin='soon')
        self.sandbox.stop()
        self.addCleanup(self._start_again)
        error = self.assertRaises(process.NotReady, self.sandbox.start)
        for part in ('heat-engine is not started', self.file_path,
                     "freeze year-end: begin: 'soon' is not valid"):
            self.assertIn(part, str(error))

    def _start_again(self):
        self.write_file()
        self._start()

    def _start(self):
        self.sandbox.start()
        self.client = self.sandbox.client()
        self.admin = self.sandbox.client('ops', 'admin', 'member')
