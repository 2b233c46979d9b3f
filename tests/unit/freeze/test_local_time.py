# SPDX-License-Identifier: Apache-2.0

import datetime

import testtools

from heat_extras import errors
from heat_extras.freeze import local_time

BERLIN = local_time.Zone('Europe/Berlin')


def moment(text):
    return datetime.datetime.fromisoformat(text)


class ZoneTest(testtools.TestCase):
    def test_clocks_and_utc(self):
        for local, utc in (
                ('2026-12-24T18:00', '2026-12-24T17:00'),
                ('2026-07-01T18:00', '2026-07-01T16:00')):
            self.assertEqual(moment(utc), BERLIN.to_utc(moment(local)))
            self.assertEqual(moment(local), BERLIN.to_local(moment(utc)))

    def test_a_time_that_clocks_leave_out(self):
        # They go from 02:00 to 03:00.
        self.assertEqual(moment('2026-03-29T01:30'),
                         BERLIN.to_utc(moment('2026-03-29T02:30')))

    def test_of_a_time_that_they_show_twice_the_first(self):
        # They go from 03:00 to 02:00.
        self.assertEqual(moment('2026-10-25T00:30'),
                         BERLIN.to_utc(moment('2026-10-25T02:30')))
        self.assertEqual(moment('2026-10-25T02:30'),
                         BERLIN.to_local(moment('2026-10-25T01:30')))

    def test_what_is_none(self):
        for found in ('Europe/Berln', '', '/etc/passwd', '../UTC', 'Europe',
                      'x\0y'):
            error = self.assertRaises(errors.ActivationError,
                                      local_time.zone, found)
            self.assertIn('expected the name of a time zone', str(error))


class ReadTest(testtools.TestCase):
    def test_what_is_read(self):
        for found in ('2026-12-24T18:00:00', '2026-12-24 18:00'):
            self.assertEqual(moment('2026-12-24T18:00'),
                             local_time.read(found, BERLIN))
        self.assertEqual(moment('2026-12-24T18:00'), local_time.read(
            '2026-12-24T18:00:00Z', local_time.Zone()))

    def test_what_is_not(self):
        for found, wanted in (
                ('2026-12-24', 'a date and a time of day'),
                ('2026-12-24T25:00', 'a date and a time of day'),
                ('2026-12-24T18:00:00Z', 'clocks show in Europe/Berlin'),
                ('2026-12-24T18:00+01:00', 'clocks show in Europe/Berlin'),
                ('0001-01-01T00:00', 'a year from 1970'),
                ('9999-12-31T00:00', 'a year from 1970')):
            error = self.assertRaises(errors.ActivationError,
                                      local_time.read, found, BERLIN)
            self.assertIn('is not valid: expected', str(error))
            self.assertIn(wanted, str(error))


class LengthTest(testtools.TestCase):
    def after(self, text, begin):
        return local_time.length(text).after(moment(begin), BERLIN)

    def test_hours_are_hours_and_days_are_those_of_a_calendar(self):
        for text, begin, end in (
                ('4h', '2026-12-24T18:00', '2026-12-24T21:00'),
                # Begins at 22:00 and 21:00 UTC; a day has 23 and 25 hours.
                ('8h', '2026-03-28T23:00', '2026-03-29T06:00'),
                ('8h', '2026-10-24T23:00', '2026-10-25T05:00'),
                ('1d', '2026-03-28T18:00', '2026-03-29T16:00'),
                ('24h', '2026-03-28T18:00', '2026-03-29T17:00'),
                ('1d', '2026-10-24T18:00', '2026-10-25T17:00'),
                ('24h', '2026-10-24T18:00', '2026-10-25T16:00'),
                ('1d2h30m5s', '2026-03-28T18:00', '2026-03-29T18:30:05')):
            self.assertEqual(moment(end), self.after(text, begin), text)

    def test_what_is_none(self):
        for found, wanted in (
                ('', 'like 30m, 8h, 3d or 1d12h'), ('0h', 'like 30m'),
                ('8', 'like 30m'), ('8:00', 'like 30m'),
                ('-1h', 'like 30m'),
                ('367d', 'at most 366d'), ('9999999h', 'at most 366d')):
            error = self.assertRaises(errors.ActivationError,
                                      local_time.length, found)
            self.assertIn('is not valid: expected', str(error))
            self.assertIn(wanted, str(error))
