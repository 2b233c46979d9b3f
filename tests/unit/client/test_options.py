# SPDX-License-Identifier: Apache-2.0

import argparse
import datetime

import fixtures
import testtools

from heat_extras.client import options

NOW = datetime.datetime(2026, 12, 24, 18, tzinfo=datetime.timezone.utc)


class ExpirationTest(testtools.TestCase):

    def end(self, text, microsecond=0):
        self.useFixture(fixtures.MonkeyPatch(
            'heat_extras.client.options._now',
            lambda: NOW.replace(microsecond=microsecond)))
        return options.expiration(text)

    def test_duration_is_added_to_current_time(self):
        for text, wanted in (
                ('30m', '2026-12-24T18:30:00Z'),
                ('2h', '2026-12-24T20:00:00Z'),
                ('3d', '2026-12-27T18:00:00Z'),
                ('90s', '2026-12-24T18:01:30Z'),
                ('0d36h', '2026-12-26T06:00:00Z'),
                ('7d1h1m1s', '2026-12-31T19:01:01Z')):
            self.assertEqual(wanted, self.end(text))

    def test_expiration_is_rounded_up_to_seconds(self):
        self.assertEqual('2026-12-24T18:30:01Z', self.end('30m', 1))
        self.assertEqual('2026-12-24T18:30:01Z', self.end('30m', 999999))

    def test_invalid_duration_is_rejected(self):
        for text in ('', '0', '0h', '2', 'h', '-2h', '+2h', '2 h', '1h1d',
                     '1.5h', '2H', '2w', 'tomorrow', '٢h', '9' * 5000 + 'h',
                     '999999999d', '9999999d'):
            error = self.assertRaises(ValueError, self.end, text)
            self.assertEqual(
                f'{text!r} is not valid: expected days, hours, minutes or '
                'seconds, like 30m, 2h, 3d or 1d12h', str(error))

    def test_expiration_uses_clock_of_host_in_utc(self):
        before = datetime.datetime.now(datetime.timezone.utc)
        end = datetime.datetime.fromisoformat(
            options.expiration('1h').replace('Z', '+00:00'))
        after = datetime.datetime.now(datetime.timezone.utc)
        hour, second = (datetime.timedelta(hours=1),
                        datetime.timedelta(seconds=1))
        self.assertTrue(before + hour <= end < after + hour + second)


class FormatTimeTest(testtools.TestCase):

    def test_time_is_formatted_with_time_zone(self):
        zone = datetime.timezone(datetime.timedelta(hours=1))
        for time, wanted in (
                (NOW, '2026-12-24T18:00:00Z'),
                (NOW.astimezone(zone), '2026-12-24T19:00:00+01:00'),
                ('2026-12-24', '2026-12-24'), (None, None)):
            self.assertEqual(wanted, options.format_time(time))


class OptionsTest(testtools.TestCase):

    def test_expires_at_and_for_set_same_argument(self):
        parser = argparse.ArgumentParser()
        for name, known in options.AT, options.FOR:
            parser.add_argument(name, **known)
        self.assertEqual('x', parser.parse_args(
            ['--expires-at', 'x']).expires_at)
        self.assertRegex(parser.parse_args(['--for', '2h']).expires_at,
                         r'T\d\d:\d\d:\d\dZ$')
        self.assertIsNone(parser.parse_args([]).expires_at)
