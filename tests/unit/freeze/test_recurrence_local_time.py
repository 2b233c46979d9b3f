# SPDX-License-Identifier: Apache-2.0

import datetime
import zoneinfo

import testtools

from heat_extras.freeze import recurrence

BERLIN = zoneinfo.ZoneInfo('Europe/Berlin')


def moment(text):
    return datetime.datetime.fromisoformat(text)


class ZoneTest(testtools.TestCase):
    def test_local_time_is_converted_to_and_from_utc(self):
        for local, utc in (
                ('2026-12-24T18:00', '2026-12-24T17:00'),
                ('2026-07-01T18:00', '2026-07-01T16:00')):
            self.assertEqual(moment(utc), recurrence.to_utc(
                moment(local), BERLIN))
            self.assertEqual(moment(local), recurrence.to_local(
                moment(utc), BERLIN))

    def test_skipped_local_time_is_converted(self):
        # Clocks change from 02:00 to 03:00.
        self.assertEqual(moment('2026-03-29T01:30'),
                         recurrence.to_utc(moment('2026-03-29T02:30'), BERLIN))

    def test_repeated_local_time_is_converted_to_first(self):
        # Clocks change from 03:00 to 02:00.
        self.assertEqual(moment('2026-10-25T00:30'),
                         recurrence.to_utc(moment('2026-10-25T02:30'), BERLIN))
        self.assertEqual(moment('2026-10-25T02:30'),
                         recurrence.to_local(
                             moment('2026-10-25T01:30'), BERLIN))

    def test_unknown_time_zone_is_rejected(self):
        for text in ('Europe/Berln', '', '/etc/passwd', '../UTC', 'Europe',
                     'x\0y'):
            error = self.assertRaises(ValueError, recurrence.parse_zone, text)
            self.assertIn('expected the name of a time zone', str(error))


class TimeTest(testtools.TestCase):
    def test_valid_time_is_parsed(self):
        for text, local in (
                ('2026-12-24T18:00:00', '2026-12-24T18:00'),
                ('2026-12-24 18:00', '2026-12-24T18:00'),
                ('2026-12-24T18:00Z', '2026-12-24T19:00'),
                ('2026-12-24T18:00+02:00', '2026-12-24T17:00')):
            self.assertEqual(moment(local),
                             recurrence.parse_time(text, BERLIN))

    def test_invalid_time_is_rejected(self):
        for text in ('2026-12-24', '2026-12-24T25:00', '2026-12-24T18',
                     '0001-01-01T00:00', '9999-12-31T00:00', 'soon'):
            error = self.assertRaises(ValueError, recurrence.parse_time,
                                      text, BERLIN)
            self.assertIn(f'{text!r} is not valid: expected a date and a '
                          'time of day', str(error))
