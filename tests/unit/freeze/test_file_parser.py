# SPDX-License-Identifier: Apache-2.0

import datetime
import hashlib
import os

import fixtures
import testtools

from heat_extras import errors
from heat_extras.freeze import file_parser
from heat_extras.freeze import window

GOOD = """\
freezes:
  - name: year-end
    reason: no changes over
      Christmas
    begin: 2026-12-24T18:00:00
    end: 2027-01-02T06:00:00
    timezone: Europe/Berlin
    projects: [p1]
    operations: [update, Snapshot_Delete, mark-unhealthy]
    exempt: "role:admin and user_id:eve"
  - name: nightly
    begin: 2026-01-01 02:30
    duration: 90m
    rrule: FREQ=DAILY;INTERVAL=2
"""


class FileParserTest(testtools.TestCase):

    def refusal(self, text):
        return self.assertRaises(
            errors.ActivationError, file_parser.parse,
            text.encode() if isinstance(text, str) else text, 'f.yaml')

    def test_a_good_file(self):
        found = file_parser.parse(GOOD.encode(), 'f.yaml')
        self.assertEqual(hashlib.sha256(GOOD.encode()).hexdigest(),
                         found.digest)
        first, second = found.windows
        self.assertEqual(
            ('year-end', 'no changes over Christmas', 'Europe/Berlin',
             datetime.datetime(2026, 12, 24, 18), {'p1'},
             {'update', 'snapshot delete', 'mark unhealthy'},
             'role:admin and user_id:eve'),
            (first.name, first.reason, first.zone.name, first.begin,
             first.projects, first.operations, first.exempt))
        self.assertEqual(
            ('nightly', None, 'UTC', None, {*window.CHANGES}, None),
            (second.name, second.reason, second.zone.name, second.projects,
             second.operations, second.exempt))
        self.assertEqual((), file_parser.parse(
            b'freezes: []', 'f.yaml').windows)

    def test_errors_name_line_freeze_what_was_found_and_what_is_wanted(self):
        for old, new, *wanted in (
                ('name: nightly', 'name: year-end', 'line 11, freeze '
                 'year-end: found another freeze of this name'),
                ('  - name: nightly\n    begin', '  - begin', 'freeze number '
                 '2: found no "name", wanted it'),
                ('name: nightly', 'name: every night', 'line 11, freeze '
                 "every night: name: found 'every night', wanted at most 64"),
                ('year-end', '"-"', "name: found '-'"),
                ('reason: no changes over\n      Christmas', 'reason: []',
                 'line 3, freeze year-end: reason: found [], wanted a text'),
                ('Christmas', 'x' * 300, 'wanted at most 255'),
                ('18:00:00', '25:00:00', 'line 5, freeze year-end: begin: '
                 "found '2026-12-24T25:00:00', wanted a date and a time"),
                ('18:00:00', '18:00:00Z', 'clocks show in Europe/Berlin'),
                ('2027-01-02', '2026-12-24', 'line 5, freeze year-end: found '
                 '2026-12-24T18:00:00, wanted it before the end'),
                ('    end: 2027-01-02T06:00:00\n', '', 'line 5, freeze '
                 'year-end: found neither, wanted one of "end" and '
                 '"duration"'),
                ('    end:', '    duration: 1h\n    end:', 'found end and '
                 'duration, wanted one of'),
                ('Berlin', 'Berln', "line 7, freeze year-end: timezone: found "
                 "'Europe/Berln', wanted the name of a time zone"),
                ('projects: [p1]', 'projects: p1', 'line 8, freeze year-end: '
                 "projects: found 'p1', wanted a list of projects' ids"),
                ('projects: [p1]', 'projects: [[]]', 'found [[]], wanted a'),
                ('projects: [p1]', 'projects: []', 'found [], wanted a list'),
                ('[update,', '[updte,', "line 9, freeze year-end: operations:"
                 " found 'updte', wanted any of create, update"),
                ('[update,', '[cancel,', "found 'cancel', wanted any of"),
                ('role:admin and', 'not role:admin and', 'wanted a rule '
                 'without "not"'),
                ('user_id:eve', 'user_id:%(userid)s', 'compares with '
                 '%(project_id)s or %(user_id)s only'),
                ('role:admin and', 'role:admin annd', 'line 10, freeze '
                 'year-end: exempt: found', 'wanted a rule of oslo.policy'),
                ('role:admin and', 'role:%s%% and role:% and', 'line 10, '
                 'freeze year-end: exempt: found', 'wanted a rule of oslo'),
                ('"role:admin and user_id:eve"', '[]', 'exempt: found '
                 '[], wanted a rule'),
                ('90m', '90', 'line 13, freeze nightly: duration: found '
                 "'90', wanted days, hours"),
                ('duration: 90m', 'end: 2026-01-01 03:00', 'found it beside '
                 '"rrule", wanted "duration"'),
                ('DAILY', 'HOURLY', 'line 14, freeze nightly: rrule: found '
                 'FREQ=HOURLY, wanted FREQ= one of'),
                ('    rrule', '    exdate', "found 'exdate', wanted any of"),
                ('    rrule', '    recurs', "line 14, freeze nightly: found "
                 "'recurs', wanted any of name, reason"),
                ('duration: 90m', 'duration: 90m\n    duration: 1h',
                 'line 14, freeze nightly: found duration twice'),
                ('  - name: nightly', '  - nightly\n  - name: nightly',
                 "line 11, freeze number 2: found 'nightly', wanted a window"),
                ('freezes:', 'windows:', "line 1: found 'windows', wanted "
                 '"freezes:" and a list', 'found None, wanted'),
                ('freezes:', 'freezes: [', 'wanted YAML')):
            said = str(self.refusal(GOOD.replace(old, new)))
            self.assertIn('[heat_extras] freezes_file: f.yaml', said)
            for part in wanted:
                self.assertIn(part, said)

    def test_a_day_that_clocks_leave_out(self):
        said = str(self.refusal(
            'freezes: [{name: a, begin: "2011-12-30T00:00", duration: 1d, '
            'timezone: Pacific/Apia}]'))
        self.assertIn('line 1, freeze a: found 2011-12-30T00:00:00, wanted it '
                      'before the end, by the clocks of its time zone', said)

    def test_all_that_is_wrong_at_once(self):
        bad = GOOD.replace('Berlin', 'Berln').replace('DAILY', 'X').replace(
            '90m', '7')
        self.assertEqual(3, len(self.refusal(bad).args))

    def test_what_is_no_list_of_windows(self):
        for text in '', '[]', 'freezes:', 'freezes: {}', '7', b'\xff':
            self.assertIn('wanted', str(self.refusal(text)))

    def test_a_file_that_cannot_be_read(self):
        folder = self.useFixture(fixtures.TempDir()).path
        for path, why in ((folder, 'Is a directory'), (
                os.path.join(folder, 'no'), 'No such file or directory')):
            error = self.assertRaises(errors.ActivationError,
                                      file_parser.load, path)
            self.assertEqual(
                f'[heat_extras] freezes_file: {path}: found {why}, wanted a '
                'readable YAML file', str(error))
