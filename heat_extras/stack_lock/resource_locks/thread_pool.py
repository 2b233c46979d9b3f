# SPDX-License-Identifier: Apache-2.0

"""Call the services of many resources in parallel, with retries and limits."""

import collections
import contextlib
import queue
import threading
import time
import typing

from keystoneauth1 import exceptions as keystone_exceptions
from oslo_config import cfg
import requests
import tenacity

from heat_extras import sanitize

_ATTEMPTS = 5
_LONGEST_WAIT = 30
_POLL = 0.2
_TRANSIENT_CODES = (429, 500, 502, 503, 504)
_TRANSIENT_ERRORS = (keystone_exceptions.RetriableConnectionFailure,
                     requests.exceptions.ConnectionError,
                     requests.exceptions.Timeout)


class TimedOut(Exception):
    """The service of a resource did not finish the request in time."""


class NonException(Exception):
    """A plugin raised a BaseException, like SystemExit."""


class NotTried(Exception):
    """The services of the resources before this one did not answer."""


def call_each(resources, function):
    """Call *function* with each resource, several at the same time.

    A call that hangs cannot be stopped, and blocks its thread. If every thread
    is blocked, the other resources are not tried.

    :returns: a dict from resource to the result or the exception of its call.
    """
    waiting = collections.deque(resources)
    answers: queue.Queue = queue.Queue()

    def work():
        with contextlib.suppress(IndexError):
            while True:
                resource = waiting.popleft()
                answers.put((resource, _result_of(function, resource)))

    for _ in range(min(len(resources), cfg.CONF.heat_extras.lock_concurrency)):
        # Without a pool of concurrent.futures: before its exit, Python would
        # wait for a call that hangs.
        threading.Thread(target=work, daemon=True).start()
    return _collect(answers, waiting, resources)


def _result_of(function, resource):
    try:
        return with_retries(resource, function)
    except Exception as error:
        return error
    except BaseException as error:
        # SystemExit would end the thread, and with eventlet the process of the
        # engine. Its code also looks like an HTTP status.
        return NonException(f'{type(error).__name__}: {error}')


def _collect(answers, waiting, resources):
    # The last attempt starts within the timeout, and can need the same time.
    longest = cfg.CONF.heat_extras.lock_resource_timeout * 2
    results: dict = {}
    with contextlib.suppress(queue.Empty):
        while len(results) < len(resources):
            resource, answer = answers.get(timeout=longest)
            results[resource] = answer
    untried = set()
    with contextlib.suppress(IndexError):
        while True:
            untried.add(waiting.popleft())
    unanswered = [each for each in resources if each not in results]
    count = sanitize.with_plural(len(unanswered) - len(untried), 'resource')
    for resource in unanswered:
        results[resource] = (
            NotTried(f'not tried, because {count} before this resource '
                     'got no answer')
            if resource in untried else
            TimedOut(f'no answer within {longest} seconds'))
    return results


def with_retries(resource, function):
    """Call *function* with a resource, and retry after transient errors.

    :returns: the result of the call.
    """
    retrying = tenacity.Retrying(
        stop=(tenacity.stop_after_attempt(_ATTEMPTS)
              | tenacity.stop_after_delay(
                  cfg.CONF.heat_extras.lock_resource_timeout)),
        wait=_wait, reraise=True,
        retry=tenacity.retry_if_exception(
            lambda error: _is_transient(resource, error)))
    return retrying(function, resource)


def _is_transient(resource, error):
    if not isinstance(error, Exception):
        return False
    if (isinstance(error, _TRANSIENT_ERRORS)
            or http_status(error) in _TRANSIENT_CODES):
        return True
    return resource._default_client_plugin().is_over_limit(error)


def http_status(error):
    """Return the HTTP status of a client's exception, or None."""
    for name in ('http_status', 'code', 'http_code', 'status_code'):
        code = getattr(error, name, None)
        if isinstance(code, int):
            return code
    return None


def is_refusal(error):
    """Return whether the service rejected the request without a change."""
    code = http_status(error)
    return isinstance(error, NotTried) or (
        code is not None and 400 <= code < 500 and code != 408)


def _wait(state):
    seconds: typing.Any = getattr(state.outcome.exception(), 'retry_after',
                                  None)
    try:
        return min(float(seconds), _LONGEST_WAIT)
    except (TypeError, ValueError):
        return min(0.5 * 2 ** state.attempt_number, _LONGEST_WAIT)


def wait_until_complete(check, result):
    """Call *check* until it returns that the request is complete.

    :param check: a function like ``check_lock_complete``, or None to return
        immediately.
    :raises TimedOut: if the request is not complete in time.
    """
    if check is None:
        return
    deadline = (time.monotonic()
                + cfg.CONF.heat_extras.lock_resource_timeout)
    while not check(result):
        if time.monotonic() > deadline:
            raise TimedOut(
                'not complete within '
                f'{cfg.CONF.heat_extras.lock_resource_timeout} seconds')
        time.sleep(_POLL)
