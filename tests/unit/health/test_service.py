# SPDX-License-Identifier: Apache-2.0

"""Tests of the checks before the health of a resource is changed."""

import types
from unittest import mock

import fixtures
from heat.common import exception as heat_exception
from oslo_config import cfg
from oslo_config import fixture as config_fixture
import testtools

from heat_extras import conf
from heat_extras.health import errors
from heat_extras.health import service
from heat_extras import rpc_request


class StackLockTest(testtools.TestCase):
    """Heat 24 and 25 take it to suspend, resume, check and snapshot."""

    def check(self, engine_id=None, is_alive=True, convergence=True):
        stack = types.SimpleNamespace(id='id', name='web', action='SUSPEND',
                                      convergence=convergence)
        with mock.patch.object(
                service.heat_stack_lock.StackLock, 'get_engine_id',
                return_value=engine_id), mock.patch.object(
                service.service_utils, 'engine_alive',
                return_value=is_alive):
            service._check_stack_lock(None, stack)

    def test_request_is_rejected_if_live_engine_has_stack_lock(self):
        error = self.assertRaises(heat_exception.ActionInProgress,
                                  self.check, 'engine')
        self.assertIn('web', str(error))

    def test_request_is_allowed_if_stack_lock_is_free_or_stale(self):
        self.check()
        self.check('engine', is_alive=False)

    def test_stack_lock_of_legacy_stack_is_not_checked(self):
        self.check('engine', convergence=False)


class _Resource:
    """The attributes of Heat's Resource that the checks use."""

    INIT, CREATE, CHECK, DELETE = 'INIT', 'CREATE', 'CHECK', 'DELETE'
    COMPLETE, FAILED = 'COMPLETE', 'FAILED'
    external_id = None

    def __init__(self, name, action='CREATE', status='COMPLETE', id_=1):
        self.name, self.id = name, id_
        self.action, self.status = action, status

    @property
    def state(self):
        return self.action, self.status


class _Stack(dict):
    """The attributes of Heat's Stack that the checks use (legacy)."""

    name, id, convergence = 'web', '7', False

    def __init__(self, *resources):
        super().__init__((each.name, each) for each in resources)
        self.env = mock.Mock()
        self.env.registry.get_rsrc_restricted_actions.return_value = [
            'replace']


class CheckRequestTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        self.conf = self.useFixture(config_fixture.Config())
        conf.register_opts(cfg.CONF)
        self.limit(50)

    def limit(self, percent):
        self.conf.config(group='heat_extras', max_unhealthy_percent=percent)

    def check(self, stack, name='a', **fields):
        asked = service.Mark(**{'is_mark': True, **fields})
        service.check_request(asked, None, stack[name], stack)
        return asked

    def test_resource_that_does_not_exist_is_rejected(self):
        for resource, wanted in (
                (_Resource('a', 'INIT'), 'was never created'),
                (_Resource('a', id_=None), 'was never created'),
                (_Resource('a', 'DELETE', 'FAILED'), 'is DELETE_FAILED')):
            error = self.assertRaises(errors.HealthInvalid, self.check,
                                      _Stack(resource))
            self.assertIn(f'Resource a of stack web {wanted}: ', str(error))

    def test_rejection_is_logged_in_one_line(self):
        log = self.useFixture(fixtures.FakeLogger())
        error = self.assertRaises(errors.HealthInvalid, self.check,
                                  _Stack(_Resource('a', 'INIT')))
        self.assertEqual(
            f'mark unhealthy of stack web (7) refused: {error}\n', log.output)
        self.check(_Stack(_Resource('a')), is_forced=True)
        self.assertEqual(1, log.output.count('\n'))

    def test_newline_in_resource_name_is_escaped_in_log(self):
        log = self.useFixture(fixtures.FakeLogger())
        self.assertRaises(errors.HealthInvalid, self.check,
                          _Stack(_Resource('a\nCRITICAL', 'INIT')),
                          'a\nCRITICAL')
        self.assertEqual(1, log.output.count('\n'))
        self.assertIn(r'Resource a\nCRITICAL of', log.output)

    def test_mark_over_max_unhealthy_percent_is_rejected(self):
        stack = _Stack(_Resource('a'), _Resource('b', 'CHECK', 'FAILED'),
                       _Resource('c'), _Resource('gone', 'DELETE'))
        error = self.assertRaises(errors.TooManyUnhealthy, self.check, stack)
        for part in ('web', '1 of 3 resources are already',
                     'max_unhealthy_percent = 50', '?force=true'):
            self.assertIn(part, str(error))
        self.limit(67)
        self.check(stack)

    def test_limit_applies_only_to_new_unforced_marks(self):
        self.limit(0)
        stack = _Stack(_Resource('a'), _Resource('b', 'CHECK', 'FAILED'))
        self.assertRaises(errors.TooManyUnhealthy, self.check, stack)
        self.check(stack, is_forced=True)
        self.check(stack, is_mark=False)
        self.check(stack, 'b')

    def test_limit_includes_resource_to_mark(self):
        for unhealthy, total, percent, is_refused in (
                (0, 1, 100, False), (0, 1, 99, True), (0, 2, 50, False),
                (1, 2, 50, True), (0, 3, 33, True), (0, 3, 34, False),
                (2, 10, 30, False), (3, 10, 30, True), (0, 5, 0, True)):
            self.limit(percent)
            stack = _Stack(_Resource('a'), *(
                _Resource(str(index), *(('CHECK', 'FAILED') if
                                        index < unhealthy else ()))
                for index in range(total - 1)))
            if is_refused:
                self.assertRaises(errors.TooManyUnhealthy, self.check, stack)
            else:
                self.check(stack)

    def test_mark_is_allowed_without_limit(self):
        self.limit(None)
        self.check(_Stack(_Resource('a')))

    def test_only_mark_warns_of_restricted_actions(self):
        stack = _Stack(_Resource('a'), _Resource('b'), _Resource('c'))
        warning, = self.check(stack).warnings
        self.assertIn('restricted_actions', warning)
        self.assertEqual([], self.check(stack, is_mark=False).warnings)

    def test_unknown_resource_is_rejected(self):
        for name, cause in (('x', KeyError('x')), ('a\0', None)):
            look_up = mock.Mock(side_effect=cause)
            with rpc_request.processing(rpc_request.Request(
                    'mark unhealthy', None, mark=service.Mark(True))):
                error = self.assertRaises(
                    heat_exception.ResourceNotFound, service.find_resource,
                    look_up, None, name, _Stack())
            self.assertIn('web', str(error))
        look_up.assert_not_called()

    def test_invalid_reason_is_rejected(self):
        service.check_reason(None)
        service.check_reason('disk')
        for reason in (7, 'a\0', 'x' * 256):
            self.assertRaises(errors.HealthInvalid, service.check_reason,
                              reason)
