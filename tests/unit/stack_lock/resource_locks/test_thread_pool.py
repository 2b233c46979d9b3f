# SPDX-License-Identifier: Apache-2.0

"""Concurrent calls for many resources, with retries and limits."""

import asyncio
import threading
from unittest import mock

from keystoneauth1 import exceptions as keystone_exceptions
from oslo_config import cfg
from oslo_config import fixture as config_fixture
import testtools

from heat_extras import conf
from heat_extras.stack_lock.resource_locks import thread_pool


class ServiceError(Exception):
    """An exception of a service's client, like novaclient's exceptions."""

    def __init__(self, code, retry_after=None):
        super().__init__(f'HTTP {code}')
        self.code = code
        self.retry_after = retry_after


class Plugin:
    def is_over_limit(self, error):
        return getattr(error, 'code', None) == 413


class Resource:
    def _default_client_plugin(self):
        return Plugin()


class ThreadPoolTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.conf = self.useFixture(config_fixture.Config(cfg.CONF))
        conf.register_opts(cfg.CONF)
        self.sleeps = []
        patcher = mock.patch('tenacity.nap.time.sleep', self.sleeps.append)
        patcher.start()
        self.addCleanup(patcher.stop)

    def config(self, **options):
        self.conf.config(group='heat_extras', **options)

    def failing(self, *errors):
        """Make a function that raises each error once and then succeeds."""
        left = list(errors)

        def function(resource):
            if left:
                raise left.pop(0)
            return 'done'
        return function

    def run_one(self, function):
        resource = Resource()
        return thread_pool.call_each([resource], function)[resource]

    def test_no_resources_have_no_results(self):
        self.assertEqual({}, thread_pool.call_each([], None))

    def test_each_resource_has_own_result(self):
        good, bad = Resource(), Resource()
        error = ServiceError(403)

        def function(resource):
            if resource is bad:
                raise error
            return 'done'
        self.assertEqual({good: 'done', bad: error},
                         thread_pool.call_each([good, bad], function))

    def test_temporary_errors_are_retried(self):
        for error in (ServiceError(503), ServiceError(429),
                      ServiceError(413), keystone_exceptions.ConnectFailure()):
            self.assertEqual('done', self.run_one(self.failing(error)))

    def test_permanent_errors_are_not_retried(self):
        for code in (400, 403, 404, 409):
            outcome = self.run_one(self.failing(ServiceError(code)))
            self.assertEqual(code, outcome.code)
        self.assertEqual([], self.sleeps)

    def test_retry_waits_as_requested_by_service(self):
        self.run_one(self.failing(ServiceError(429, retry_after='7')))
        self.assertEqual([7.0], self.sleeps)

    def test_invalid_or_long_retry_after_is_limited(self):
        for retry_after in ('9999', 'tomorrow', None):
            self.run_one(self.failing(ServiceError(429,
                                                   retry_after=retry_after)))
        self.assertEqual([30, 1.0, 1.0], self.sleeps)

    def test_number_of_attempts_is_limited(self):
        errors = [ServiceError(503) for _ in range(100)]
        outcome = self.run_one(self.failing(*errors))
        self.assertEqual(503, outcome.code)
        self.assertEqual(4, len(self.sleeps))

    def test_base_exception_fails_only_its_resource(self):
        for kind in (SystemExit, KeyboardInterrupt, GeneratorExit,
                     asyncio.CancelledError):
            # 503 is not considered a response of a service.
            outcome = self.run_one(self.failing(kind(503)))
            self.assertIsInstance(outcome, thread_pool.NonException)
            self.assertEqual(f'{kind.__name__}: 503', str(outcome))
            self.assertFalse(thread_pool.is_refusal(outcome))
        self.assertEqual([], self.sleeps)

    def test_concurrency_is_limited(self):
        self.config(lock_concurrency=3)
        lock, now, most = threading.Lock(), [0], [0]

        def function(resource):
            with lock:
                now[0] += 1
                most[0] = max(most[0], now[0])
            threading.Event().wait(0.02)
            with lock:
                now[0] -= 1
        thread_pool.call_each([Resource() for _ in range(20)], function)
        self.assertEqual(3, most[0])

    def test_hanging_call_times_out(self):
        self.config(lock_resource_timeout=1)
        hanging = threading.Event()
        self.addCleanup(hanging.set)
        outcome = self.run_one(lambda resource: hanging.wait(60))
        self.assertIsInstance(outcome, thread_pool.TimedOut)

    def test_wait_for_completion_times_out(self):
        self.config(lock_resource_timeout=1)
        self.assertRaises(thread_pool.TimedOut,
                          thread_pool.wait_until_complete,
                          lambda result: False, None)

    def test_completion_check_gets_result_of_call(self):
        answers = [False, False, True]
        asked = []

        def check(result):
            asked.append(result)
            return answers.pop(0)
        thread_pool.wait_until_complete(check, 'token')
        self.assertEqual(['token'] * 3, asked)
        thread_pool.wait_until_complete(None, 'token')

    def test_http_status_of_client_exceptions(self):
        class Glance(Exception):
            code = 403

        class Keystone(Exception):
            http_status = 409
        self.assertEqual(403, thread_pool.http_status(Glance()))
        self.assertEqual(409, thread_pool.http_status(Keystone()))
        self.assertIsNone(thread_pool.http_status(ValueError()))
