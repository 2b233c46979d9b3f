# SPDX-License-Identifier: Apache-2.0

"""Tests of the checks before the health of a resource is changed."""

from unittest import mock

from oslo_config import cfg
from oslo_config import fixture as config_fixture
import testtools

from heat_extras import conf
from heat_extras.health import errors
from heat_extras.health import service


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
