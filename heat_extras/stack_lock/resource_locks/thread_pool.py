# SPDX-License-Identifier: Apache-2.0

"""Do one thing to many resources: in parallel, with patience, bounded."""

import collections
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
_TRANSIENT_ERRORS = (keystone_exceptions.ConnectFailure,
                     keystone_exceptions.ConnectTimeout,
                     requests.exceptions.ConnectionError,
                     requests.exceptions.Timeout)


class TimedOut(Exception):
    """The resource's service did not come to an end in time."""


class NonException(Exception):
    """A plugin raised what is no Exception, like SystemExit."""


class NotTried(Exception):
    """The services were taken for dead before it was this one's turn."""


def run(resources, function):
    """Call *function* with each resource.

    A call that hangs is given up and leaves its place to the next; it cannot
    be ended. When as many as may run at a time have been given up, the
    services are taken for dead, and the rest is not tried.

    :returns: a dict from resource to what the call returned, or to the
        exception that it ended in.
    """
    return _Round(function).run(collections.deque(resources))


class _Round:
    def __init__(self, function):
        self._function = function
        self._answers: queue.Queue = queue.Queue()
        self._deadlines = {}
        self._results = {}
        self._given_up = 0
        self._at_a_time = cfg.CONF.heat_extras.lock_concurrency

    def run(self, waiting):
        while waiting or self._deadlines:
            while waiting and len(self._deadlines) < self._at_a_time:
                self._start(waiting.popleft())
            self._collect()
            if self._given_up >= self._at_a_time:
                count = sanitize.count(self._given_up, 'resource')
                self._results.update((resource, NotTried(
                    f'not tried: {count} before it got no answer'))
                    for resource in waiting)
                waiting.clear()
        return self._results

    def _start(self, resource):
        self._deadlines[resource] = time.monotonic() + _longest()
        # Not a pool of concurrent.futures: Python would wait for a call that
        # hangs before it exits.
        threading.Thread(target=self._work, args=(resource,),
                         daemon=True).start()

    def _work(self, resource):
        try:
            answer = with_retries(resource, self._function)
        except Exception as error:
            answer = error
        self._answers.put((resource, answer))

    def _collect(self):
        try:
            resource, answer = self._answers.get(timeout=max(
                0, min(self._deadlines.values()) - time.monotonic()))
        except queue.Empty:
            self._give_up_late()
            return
        if self._deadlines.pop(resource, None) is not None:
            self._results[resource] = answer

    def _give_up_late(self):
        now = time.monotonic()
        late = [resource for resource, deadline in self._deadlines.items()
                if deadline <= now]
        for resource in late:
            del self._deadlines[resource]
            self._results[resource] = TimedOut(
                f'no answer within {_longest()} seconds')
        self._given_up += len(late)


def _longest():
    # Attempts begin within the timeout, and the last one takes its time.
    return cfg.CONF.heat_extras.lock_resource_timeout * 2


def with_retries(resource, function):
    """Call *function* with a resource, again where that may do.

    :returns: what it returned.
    """
    retrying = tenacity.Retrying(
        stop=(tenacity.stop_after_attempt(_ATTEMPTS)
              | tenacity.stop_after_delay(
                  cfg.CONF.heat_extras.lock_resource_timeout)),
        wait=_wait, reraise=True,
        retry=tenacity.retry_if_exception(
            lambda error: _is_transient(resource, error)))
    return retrying(_apart, function, resource)


def _apart(function, resource):
    # What a plugin raises is an error of that plugin: SystemExit would end
    # the thread, under eventlet the engine's process, and has a code that
    # looks like one of HTTP.
    try:
        return function(resource)
    except BaseException as error:
        if isinstance(error, Exception):
            raise
        raise NonException(f'{type(error).__name__}: {error}') from error


def _is_transient(resource, error):
    if isinstance(error, _TRANSIENT_ERRORS):
        return True
    if code_of(error) in _TRANSIENT_CODES:
        return True
    return resource._default_client_plugin().is_over_limit(error)


def code_of(error):
    """Return the HTTP status of a client's exception, or None."""
    for name in ('http_status', 'code', 'http_code', 'status_code'):
        code = getattr(error, name, None)
        if isinstance(code, int):
            return code
    return None


def is_refusal(error):
    """Return whether the service itself said no: it has done nothing then."""
    code = code_of(error)
    return isinstance(error, NotTried) or (
        code is not None and 400 <= code < 500 and code != 408)


def _wait(state):
    told: typing.Any = getattr(state.outcome.exception(), 'retry_after', None)
    try:
        return min(float(told), _LONGEST_WAIT)
    except (TypeError, ValueError):
        return min(0.5 * 2 ** state.attempt_number, _LONGEST_WAIT)


def until_complete(check, result):
    """Ask until *check* says that it is complete.

    :param check: like ``check_lock_complete``, or None: nothing to wait for.
    :raises TimedOut: when it is not in time.
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
