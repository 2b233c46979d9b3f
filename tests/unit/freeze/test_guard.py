# SPDX-License-Identifier: Apache-2.0

import types
from unittest import mock

import fixtures
from heat.common import context as heat_context
from oslo_config import cfg
from oslo_utils import fixture as utils_fixture
import testtools

from heat_extras.freeze import errors
from heat_extras.freeze import guard
from tests.unit.freeze import test_window

moment = test_window.moment


class FreezeTestCase(testtools.TestCase):
    def setUp(self):
        super().setUp()
        # Where oslo.policy looks for files of rules.
        cfg.CONF([], project='heat', default_config_files=[],
                 default_config_dirs=[])
        self.addCleanup(cfg.CONF.reset)
        self.clock = self.useFixture(utils_fixture.TimeFixture(
            moment('2026-12-24T18:00')))
        self.count = self.mock('freeze.guard.counter_writes.count_event')
        self.is_bare_alive = self.mock(
            'freeze.guard.heartbeat.has_engine_without_heat_extras',
            return_value=False)
        self.context = heat_context.RequestContext(
            project_id='p1', user_id='u1', roles=['member'])

    def mock(self, name, **options):
        return self.useFixture(fixtures.MockPatch(
            f'heat_extras.{name}', **options)).mock

    def hold(self, *windows):
        self.mock('freeze.file_watch._watches', new=[types.SimpleNamespace(
            windows=lambda: windows)])

    def freeze(self, **fields):
        self.hold(test_window.window(
            begin='2026-12-24T18:00', duration='1h', **fields))

    def refusal(self, operation='update', project='p1', **more):
        error = self.assertRaises(
            errors.StackFrozen, guard.refuse_if_frozen, self.context,
            operation, project, 'web', '1234', **more)
        return str(error)


class CheckTest(FreezeTestCase):

    def test_error_names_active_freeze_that_ends_last(self):
        first = test_window.window(begin='2026-12-24T18:00', duration='1h',
                                   reason='first')
        last = test_window.window(begin='2026-12-24T17:00', duration='3h',
                                  reason='last')
        after = test_window.window(begin='2026-12-24T20:00', duration='1h',
                                   reason='after')
        self.hold(first, after, last)
        message = self.refusal()
        self.assertIn('(freeze "test": last)', message)
        self.assertIn('until 2026-12-24T20:00:00Z', message)

    def test_exempt_freeze_is_ignored_but_not_other_freezes(self):
        spared = test_window.window(begin='2026-12-24T17:00', duration='9h',
                                    exempt='role:member')
        self.hold(spared)
        guard.refuse_if_frozen(self.context, 'update', 'p1', 'web', '1234')
        self.hold(spared, test_window.window(begin='2026-12-24T18:00',
                                             duration='1h'))
        self.assertIn('until 2026-12-24T19:00:00Z', self.refusal())

    def test_nested_stack_allowed_beside_engine_without_heat_extras(self):
        self.freeze()
        self.refusal(is_nested=True)
        self.is_bare_alive.return_value = True
        guard.refuse_if_frozen(self.context, 'update', 'p1', 'web', '1234',
                               is_nested=True)
        self.is_bare_alive.reset_mock()
        self.refusal()
        self.is_bare_alive.assert_not_called()

    def test_exempt_rule_is_not_checked_outside_of_freeze(self):
        self.freeze(exempt='role:member')
        self.clock.advance_time_seconds(-1)
        with mock.patch('heat_extras.freeze.exempt.is_exempt') as asked:
            guard.refuse_if_frozen(self.context, 'update', 'p1', 'web', '1234')
        asked.assert_not_called()


class ListGuardsTest(FreezeTestCase):
    def list_at(self, time):
        return guard.FreezeGuard().list_guards(
            self.context, types.SimpleNamespace(
                at=moment(time), stack=types.SimpleNamespace(id='1234',
                                                             tenant='p1')))

    def test_freezes_at_latest_and_earliest_time_are_listed(self):
        self.hold(test_window.window(
            begin='2026-12-24T00:00', duration='1d', rrule='FREQ=DAILY',
            timezone='America/New_York'))
        listed, = self.list_at('9999-12-31T23:59:59')
        self.assertEqual(2201, listed.expires_at.year)
        self.assertEqual([], self.list_at('0001-01-01T00:00'))
