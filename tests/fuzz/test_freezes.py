# SPDX-License-Identifier: Apache-2.0

"""Freezes files are rejected with errors, or work for all times."""

import datetime
import types

import fixtures
import hypothesis
from hypothesis import strategies as st
import testtools

from heat_extras.freeze import exempt
from heat_extras.freeze import file_parser
from heat_extras.freeze import guard
from heat_extras.freeze import recurrence
from heat_extras.freeze import window as windows
from heat_extras import operator_errors
from heat_extras import sanitize
from heat_extras import timestamps
from tests.fuzz import case_count
from tests.fuzz import operator_files

_DAYS = ('MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU')
_NUMBERS = operator_files.nearly(st.integers(1, 40), st.integers())
_PARTS = {
    'FREQ': operator_files.nearly(
        st.sampled_from(['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY']),
        st.sampled_from(['HOURLY', 'SECONDLY', 'X'])),
    'INTERVAL': _NUMBERS,
    'UNTIL': st.sampled_from(['20271231', '20271231T180000', '20261301T000000',
                              '00010101T000000', '99991231T235959', 'x']),
    'BYDAY': st.lists(st.tuples(st.sampled_from(['', '-1', '2', '54', '+5']),
                                st.sampled_from(_DAYS)).map(''.join),
                      min_size=1, max_size=3).map(','.join),
    'BYMONTH': st.integers(0, 13), 'BYMONTHDAY': st.integers(-32, 32),
    'BYSETPOS': st.integers(-5, 5), 'WKST': st.sampled_from(_DAYS),
    'BYHOUR': st.integers(0, 24), 'COUNT': _NUMBERS}


def rules():
    """Return recurrence rules, most of which have a FREQ."""
    return st.tuples(
        operator_files.nearly(_PARTS['FREQ'], st.none()),
        st.fixed_dictionaries({}, optional={
            name: part for name, part in _PARTS.items()
            if name != 'FREQ'})).map(_rule)


def _rule(parts):
    frequency, others = parts
    named = {} if frequency is None else {'FREQ': frequency}
    # Few parts: otherwise the rule does not start at "begin" and is rejected.
    named.update(list(others.items())[:len(named) + 1 - len(others) % 2])
    return ';'.join(f'{name}={value}' for name, value in named.items())


_MOMENTS = st.one_of(
    st.datetimes(datetime.datetime(1960, 1, 1),
                 datetime.datetime(2210, 1, 1)),
    st.datetimes(datetime.datetime(2026, 1, 1),
                 datetime.datetime(2028, 1, 1)))
_ZONES = operator_files.nearly(st.sampled_from([
    'UTC', 'Europe/Berlin', 'Pacific/Apia', 'Asia/Kathmandu', 'Africa/Cairo',
    'America/St_Johns', 'Antarctica/Troll', 'Pacific/Kwajalein', 'EST5EDT']),
    st.sampled_from(['Europe', '../UTC', '', 'posix/UTC', 'Etc/GMT+14']))
_EXEMPT = operator_files.nearly(
    st.sampled_from(['role:admin', '!', '@', 'rule:x', 'role:%(user_id)s',
                     'not role:a', 'a:b:c', 'None:%(project_id)s']),
    st.one_of(st.sampled_from(["'%(x':%(y)s", '(', 'role:a and', 'role:%(a)d',
                               'role:%']), operator_files.TEXTS), 4)

_WRITTEN = _MOMENTS.map(lambda found: found.strftime('%Y-%m-%dT%H:%M:%S'))
_NAMED = {'name': st.from_regex(r'\A[a-z0-9][a-z0-9._-]{0,8}\Z'),
          'begin': _WRITTEN}
_LENGTH = {'duration': st.tuples(
    st.integers(1, 370), st.sampled_from('dhms')).map(
    lambda found: f'{found[0]}{found[1]}')}
_MORE = {
    'timezone': _ZONES, 'reason': operator_files.nearly(
        operator_files.WORDS, operator_files.TEXTS, 4),
    'projects': st.lists(operator_files.WORDS, min_size=1, max_size=2),
    'operations': st.lists(operator_files.nearly(
        st.sampled_from(windows.ALL), st.sampled_from(['cancel', 'lock'])),
        min_size=1, max_size=3),
    'exempt': _EXEMPT}
_ONCE = operator_files.entry({**_NAMED, 'end': _WRITTEN}, _MORE)
_AGAIN = operator_files.entry({**_NAMED, **_LENGTH}, {**_MORE,
                                                      'rrule': rules()})
# Without other keys that could be invalid.
_SAID = operator_files.entry(
    {**_NAMED, **_LENGTH, 'reason': st.one_of(
        operator_files.WORDS, operator_files.TEXTS)}, {})

FREEZES = st.fixed_dictionaries({'freezes': st.lists(
    operator_files.nearly(_AGAIN, st.one_of(_ONCE, _SAID), 3),
    min_size=1, max_size=2)})


class FileParserTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        # oslo.policy logs each invalid rule with a traceback, to the log
        # that another test has configured.
        self.useFixture(fixtures.FakeLogger())

    @case_count.cases(22)
    @hypothesis.given(operator_files.contents(FREEZES),
                      st.lists(st.datetimes(), max_size=3))
    def test_freezes_file_is_rejected_with_error_or_works(self, content,
                                                          moments):
        self.check(content, moments)

    def check(self, content, moments):
        """Fail if a file is accepted and causes an error later."""
        try:
            parsed = file_parser.parse(content, 'freezes.yaml')
        except operator_errors.ActivationError as error:
            self._check_refusal(error)
            return
        for window in parsed.windows:
            begin = recurrence.to_utc(window.begin, window.zone)
            self.assertTrue(window.span(begin).is_frozen, window)
            for at in (*moments, begin):
                self._ask(window, at)

    def _check_refusal(self, error):
        for sentence in error.args:
            self.assertTrue(sentence.startswith(
                '[heat_extras] freezes_file: freezes.yaml'), sentence)
            self.assertTrue(sentence.encode())

    def _ask(self, window, at):
        span = window.span(windows.clamp(at))
        self.assertTrue(span.includes(windows.clamp(at)), span)
        if span.is_frozen:
            # The message in responses of the API and in logs.
            message = guard.frozen_message('update', 'web', window,
                                           timestamps.to_iso(span.until))
            sanitize.check_text('refusal', message)
            self.assertTrue(timestamps.to_iso(span.since))
        self.assertIsInstance(exempt.is_exempt(_context(), window), bool)

    @case_count.cases(6)
    @hypothesis.given(_MOMENTS, rules(), _ZONES, st.datetimes(
        datetime.datetime(1700, 1, 1), datetime.datetime(9998, 1, 1)))
    def test_accepted_rrule_has_alternating_spans(self, begin, rule, zone, at):
        content = operator_files.json.dumps({'freezes': [{
            'name': 'a', 'begin': begin.strftime('%Y-%m-%dT%H:%M:%S'),
            'duration': '8h', 'rrule': rule, 'timezone': zone}]}).encode()
        try:
            window, = file_parser.parse(content, 'freezes.yaml').windows
        except operator_errors.ActivationError:
            return
        at = windows.clamp(at)
        for _ in range(3):
            span = window.span(at)
            self.assertTrue(span.includes(at), (span, at))
            if span.until > datetime.datetime(2190, 1, 1):
                return
            self.assertNotEqual(span.is_frozen,
                                window.span(span.until).is_frozen)
            at = span.until


def _context():
    from oslo_config import cfg
    from oslo_policy import policy
    values = {'project_id': 'p', 'user_id': 'u', 'roles': ['member']}
    return types.SimpleNamespace(
        project_id='p', user_id='u', to_policy_values=lambda: dict(values),
        policy=types.SimpleNamespace(enforcer=_enforcer(cfg, policy)))


def _enforcer(cfg, policy):
    if not _made:
        conf = cfg.ConfigOpts()
        conf([])
        _made.append(policy.Enforcer(conf, use_conf=False))
    return _made[0]


_made = []
