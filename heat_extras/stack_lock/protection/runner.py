# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.

"""Do one thing to many resources: in parallel, with patience, bounded."""

import concurrent.futures
import time

from keystoneauth1 import exceptions as keystone_exceptions
from oslo_config import cfg
import requests
import tenacity

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


def run(resources, function):
    """Call *function* with each resource.

    :returns: a dict from resource to what the call returned, or to the
        exception that it ended in.
    """
    if not resources:
        return {}
    conf = cfg.CONF.heat_extras
    pool = concurrent.futures.ThreadPoolExecutor(
        min(conf.lock_concurrency, len(resources)))
    try:
        futures = {resource: pool.submit(_call, resource, function)
                   for resource in resources}
        return {resource: _result(future)
                for resource, future in futures.items()}
    finally:
        # A thread that hangs cannot be ended; nobody waits for it.
        pool.shutdown(wait=False)


def _result(future):
    try:
        return future.result(timeout=_longest())
    except concurrent.futures.TimeoutError:
        return TimedOut(f'no answer within {_longest()} seconds')
    except Exception as error:
        return error


def _longest():
    # The calls before it in the pool take their time, too; each of them is
    # bounded by its own attempts.
    return cfg.CONF.heat_extras.lock_resource_timeout * 2


def _call(resource, function):
    retrying = tenacity.Retrying(
        stop=(tenacity.stop_after_attempt(_ATTEMPTS)
              | tenacity.stop_after_delay(
                  cfg.CONF.heat_extras.lock_resource_timeout)),
        wait=_wait, reraise=True,
        retry=tenacity.retry_if_exception(
            lambda error: _is_transient(resource, error)))
    return retrying(function, resource)


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


def _wait(state):
    told = getattr(state.outcome.exception(), 'retry_after', None)
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
            raise TimedOut('not complete within '
                           f'{cfg.CONF.heat_extras.lock_resource_timeout} '
                           'seconds')
        time.sleep(_POLL)
