# SPDX-License-Identifier: Apache-2.0

import datetime

import testtools

from heat_extras import timestamps

EVENING = datetime.datetime(2026, 12, 24, 18)


class TimestampTest(testtools.TestCase):

    def test_parse_accepts_times_with_time_zone(self):
        for text, seconds in (
                ('2026-12-24T18:00:00Z', 0),
                ('2026-12-24T18:00:00.000Z', 0),
                ('2026-12-24T18:00:00.0000000001Z', 1),
                ('2026-12-24T18:00:59.9+00:00', 60),
                ('2026-12-24T19:00:00+01:00', 0),
                ('2026-12-24T12:30:00.5-05:30', 1),
                ('2026-12-25T17:59:00+23:59', 0)):
            self.assertEqual(EVENING + datetime.timedelta(seconds=seconds),
                             timestamps.parse(text), text)

    def test_parse_rejects_invalid_times(self):
        for text in ('', 'x', 5, True, [], {}, '2026-12-24',
                     '2026-12-24T18:00:00', '2026-12-24 18:00:00Z',
                     '2026-12-24T18:00Z', '2026-13-24T18:00:00Z',
                     '2026-12-24T24:00:00Z', '2026-12-24T18:00:60Z',
                     '2026-12-24T18:00:00+0100', '2026-12-24T18:00:00+24:00',
                     '2026-12-24T18:00:00+01:60', '2026-12-24T18:00:00.Z',
                     '9999-12-31T23:59:59.5Z', '0001-01-01T00:00:00+01:00',
                     '2026-12-24T18:00:00Z\n', '\u0662026-12-24T18:00:00Z'):
            error = self.assertRaises(ValueError, timestamps.parse, text)
            self.assertIn('Invalid expires_at: ', str(error))
            self.assertIn(' must be a time with its time zone',
                          str(error))

    def test_to_iso_returns_utc(self):
        self.assertEqual('2026-12-24T18:00:00Z', timestamps.to_iso(EVENING))
        self.assertIsNone(timestamps.to_iso(None))


class DurationTest(testtools.TestCase):
    def test_valid_duration_is_parsed(self):
        for text, fields in (
                ('4h', {'hours': 4}), ('90m', {'minutes': 90}),
                ('1d2h30m5s', {'days': 1, 'hours': 2, 'minutes': 30,
                               'seconds': 5})):
            self.assertEqual(datetime.timedelta(**fields),
                             timestamps.parse_duration(text))

    def test_invalid_duration_is_rejected(self):
        for text in '', '0h', '8', '8:00', '-1h', '999999999d':
            error = self.assertRaises(ValueError, timestamps.parse_duration,
                                      text)
            self.assertIn('is not valid: expected days, hours, minutes or '
                          'seconds, like 30m', str(error))

    def test_duration_above_maximum_is_rejected(self):
        day = datetime.timedelta(days=1)
        self.assertEqual(day, timestamps.parse_duration('24h', day))
        self.assertRaises(ValueError, timestamps.parse_duration, '1d1s', day)
