# SPDX-License-Identifier: Apache-2.0

"""Many resources at once, with patience, and bounded."""

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
    """What a service's client raises, like novaclient's exceptions."""

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


class RunnerTest(testtools.TestCase):
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
        """Make a function that raises these, one a call, then works."""
        left = list(errors)

        def function(resource):
            if left:
                raise left.pop(0)
            return 'done'
        return function

    def run_one(self, function):
        resource = Resource()
        return thread_pool.call_each([resource], function)[resource]

    def test_nothing_to_do(self):
        self.assertEqual({}, thread_pool.call_each([], None))

    def test_each_resource_has_its_own_outcome(self):
        good, bad = Resource(), Resource()
        error = ServiceError(403)

        def function(resource):
            if resource is bad:
                raise error
            return 'done'
        self.assertEqual({good: 'done', bad: error},
                         thread_pool.call_each([good, bad], function))

    def test_passing_errors_are_tried_again(self):
        for error in (ServiceError(503), ServiceError(429),
                      ServiceError(413), keystone_exceptions.ConnectFailure()):
            self.assertEqual('done', self.run_one(self.failing(error)))

    def test_lasting_errors_are_not(self):
        for code in (400, 403, 404, 409):
            outcome = self.run_one(self.failing(ServiceError(code)))
            self.assertEqual(code, outcome.code)
        self.assertEqual([], self.sleeps)

    def test_the_service_says_how_long_to_wait(self):
        self.run_one(self.failing(ServiceError(429, retry_after='7')))
        self.assertEqual([7.0], self.sleeps)

    def test_a_strange_wait_is_bounded(self):
        for retry_after in ('9999', 'tomorrow', None):
            self.run_one(self.failing(ServiceError(429,
                                                   retry_after=retry_after)))
        self.assertEqual([30, 1.0, 1.0], self.sleeps)

    def test_attempts_are_bounded(self):
        errors = [ServiceError(503) for _ in range(100)]
        outcome = self.run_one(self.failing(*errors))
        self.assertEqual(503, outcome.code)
        self.assertEqual(4, len(self.sleeps))

    def test_what_is_no_exception_is_an_error_of_one_resource(self):
        for kind in (SystemExit, KeyboardInterrupt, GeneratorExit,
                     asyncio.CancelledError):
            # 503: not taken for an answer of a service.
            outcome = self.run_one(self.failing(kind(503)))
            self.assertIsInstance(outcome, thread_pool.NonException)
            self.assertEqual(f'{kind.__name__}: 503', str(outcome))
            self.assertFalse(thread_pool.is_refusal(outcome))
        self.assertEqual([], self.sleeps)

    def test_at_most_so_many_at_a_time(self):
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

    def test_what_hangs_is_given_up(self):
        self.config(lock_resource_timeout=1)
        hanging = threading.Event()
        self.addCleanup(hanging.set)
        outcome = self.run_one(lambda resource: hanging.wait(60))
        self.assertIsInstance(outcome, thread_pool.TimedOut)

    def test_what_never_completes_is_given_up(self):
        self.config(lock_resource_timeout=1)
        self.assertRaises(thread_pool.TimedOut,
                          thread_pool.wait_until_complete,
                          lambda result: False, None)

    def test_completion_is_asked_with_the_result(self):
        answers = [False, False, True]
        asked = []

        def check(result):
            asked.append(result)
            return answers.pop(0)
        thread_pool.wait_until_complete(check, 'token')
        self.assertEqual(['token'] * 3, asked)
        thread_pool.wait_until_complete(None, 'token')

    def test_code_of_the_clients_exceptions(self):
        class Glance(Exception):
            code = 403

        class Keystone(Exception):
            http_status = 409
        self.assertEqual(403, thread_pool.http_status(Glance()))
        self.assertEqual(409, thread_pool.http_status(Keystone()))
        self.assertIsNone(thread_pool.http_status(ValueError()))
