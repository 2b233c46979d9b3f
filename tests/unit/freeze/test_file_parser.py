# SPDX-License-Identifier: Apache-2.0

import datetime
import hashlib
import os

import fixtures
import testtools

from heat_extras.freeze import file_parser
from heat_extras.freeze import window
from heat_extras import operator_errors

GOOD = """\
freezes:
  - name: year-end
    reason: no changes over
      Christmas
    begin: 2026-12-24T18:00:00
    end: 2027-01-02T06:00:00
    timezone: Europe/Berlin
    projects: [p1]
    operations: [update, snapshot_delete, mark_unhealthy]
    exempt: "role:admin and user_id:eve"
  - name: nightly
    begin: 2026-01-01 02:30
    duration: 90m
    rrule: FREQ=DAILY;INTERVAL=2
"""


class FileParserTest(testtools.TestCase):

    def refusal(self, text):
        return self.assertRaises(
            operator_errors.ActivationError, file_parser.parse,
            text.encode() if isinstance(text, str) else text, 'f.yaml')

    def test_valid_file_is_parsed(self):
        parsed = file_parser.parse(GOOD.encode(), 'f.yaml')
        self.assertEqual(hashlib.sha256(GOOD.encode()).hexdigest(),
                         parsed.digest)
        first, second = parsed.windows
        self.assertEqual(
            ('year-end', 'no changes over Christmas', 'Europe/Berlin',
             datetime.datetime(2026, 12, 24, 18), {'p1'},
             {'update', 'snapshot delete', 'mark unhealthy'},
             'role:admin and user_id:eve'),
            (first.name, first.reason, first.zone.key, first.begin,
             first.projects, first.operations, first.exempt))
        self.assertEqual(
            ('nightly', None, 'UTC', None, {*window.CHANGES}, None),
            (second.name, second.reason, second.zone.key, second.projects,
             second.operations, second.exempt))
        self.assertEqual((), file_parser.parse(
            b'freezes: []', 'f.yaml').windows)

    def test_errors_name_freeze_key_and_what_is_expected(self):
        for old, new, *wanted in (
                ('name: nightly', 'name: year-end', 'freeze year-end: another '
                                                    'freeze has the same '
                                                    'name'),
                ('  - name: nightly\n    begin', '  - begin', 'freeze number '
                 '2: the key "name" is missing'),
                ('name: nightly', 'name: every night', 'freeze every night: '
                 "name: 'every night' is not valid: expected at most 64 "
                 'letters, digits'),
                ('year-end', '"-"', "name: '-' is not valid: expected at"),
                ('reason: no changes over\n      Christmas', 'reason: []',
                 'freeze year-end: reason: [] is not valid: expected a text'),
                ('Christmas', 'x' * 300, 'expected at most 255 characters'),
                ('18:00:00', '25:00:00', 'freeze year-end: begin: '
                 "'2026-12-24T25:00:00' is not valid: expected a date and"),
                ('2027-01-02', '2026-12-24', 'freeze year-end: begin: '
                 '2026-12-24T18:00:00 must be before the end'),
                ('    end: 2027-01-02T06:00:00\n', '', 'freeze year-end: '
                                                       'begin: expected '
                                                       'exactly one of the '
                                                       'keys "end" and '
                                                       '"duration"'),
                ('    end:', '    duration: 1h\n    end:',
                 'expected exactly one of the keys'),
                ('Berlin', 'Berln', "freeze year-end: timezone: "
                 "'Europe/Berln' is not valid: expected the name of a time"),
                ('projects: [p1]', 'projects: p1', 'freeze year-end: '
                 "projects: 'p1' is not valid: expected a list"),
                ('projects: [p1]', 'projects: [[]]',
                 'projects.0: [] is not valid: expected a text'),
                ('projects: [p1]', 'projects: []', 'projects: []'),
                ('[update,', '[updte,', 'freeze year-end: '
                 "operations.0: 'updte' is not valid: expected any of create, "
                 'update,'),
                ('[update,', '[cancel,', "'cancel' is not valid: expected "),
                ('role:admin and', 'not role:admin and', 'expected a rule '
                 'without "not"'),
                ('user_id:eve', 'user_id:%(userid)s', 'compares only '
                 'with %(project_id)s or %(user_id)s'),
                ('role:admin and', 'role:admin annd', 'freeze year-end: '
                 'exempt: ', 'expected a rule of oslo.policy'),
                ('role:admin and', 'role:%s%% and role:% and', 'freeze '
                 'year-end: exempt: ', 'expected a rule of oslo'),
                ('"role:admin and user_id:eve"', '[]', 'exempt: [] is not'),
                ('90m', '90', "freeze nightly: duration: '90' is not valid: "
                 'expected days, hours'),
                ('DAILY', 'HOURLY', "freeze nightly: rrule: 'FREQ=HOURLY' is "
                                    'not valid: expected any of the parts '
                                    'FREQ'),
                ('    rrule', '    recurs', "freeze nightly: the key 'recurs' "
                 'is not valid: expected any of the keys name, projects'),
                ('duration: 90m', 'duration: 90m\n    duration: 1h',
                 'line 14: the key "duration" is repeated'),
                ('  - name: nightly', '  - nightly\n  - name: nightly',
                 "freeze number 2: 'nightly' is not valid: expected keys with "
                 'values, like name, begin'),
                ('freezes:', 'windows:', "the key 'windows' is not valid",
                 'the key "freezes" is missing'),
                ('freezes:', 'freezes: [', 'not valid YAML')):
            message = str(self.refusal(GOOD.replace(old, new)))
            self.assertIn('[heat_extras] freezes_file: f.yaml', message)
            for part in wanted:
                self.assertIn(part, message)

    def test_freeze_in_skipped_day_is_rejected(self):
        message = str(self.refusal(
            'freezes: [{name: a, begin: "2011-12-30T00:00", duration: 1d, '
            'timezone: Pacific/Apia}]'))
        self.assertIn('freeze a: begin: 2011-12-30T00:00:00 must be before '
                      'the end of the freeze, in the time zone of the '
                      'freeze', message)

    def test_all_errors_are_reported_together(self):
        bad = GOOD.replace('Berlin', 'Berln').replace('DAILY', 'X').replace(
            '90m', '7')
        self.assertEqual(3, len(self.refusal(bad).args))

    def test_error_does_not_hide_other_errors_of_entry(self):
        message = str(self.refusal("""
freezes:
  - name: a
    begin: 2026-12-24T25:00
    timezone: Europe/Berln
    duration: 1x
    rrule: FREQ=HOURLY
    exempt: not role:admin
    operations: [updte]
    reason: []
    reason: again
    other: x
"""))
        for part in ('line 11: the key "reason" is repeated',
                     'freeze a: begin: ', 'freeze a: timezone: ',
                     'freeze a: duration: ', 'freeze a: rrule: ',
                     'freeze a: exempt: ', 'freeze a: operations.0: ',
                     "freeze a: the key 'other' is not valid"):
            self.assertIn(part, message)

    def test_file_without_list_of_freezes_is_rejected(self):
        for text in '', '[]', 'freezes:', 'freezes: {}', '7', b'\xff':
            self.assertIn('freezes_file: f.yaml', str(self.refusal(text)))

    def test_unreadable_file_is_rejected(self):
        folder = self.useFixture(fixtures.TempDir()).path
        for path, why in ((folder, 'Is a directory'), (
                os.path.join(folder, 'no'), 'No such file or directory')):
            error = self.assertRaises(operator_errors.ActivationError,
                                      file_parser.load, path)
            self.assertEqual(
                f'[heat_extras] freezes_file: {path}: cannot be read: '
                f'{why}', str(error))
