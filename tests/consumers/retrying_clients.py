# SPDX-License-Identifier: Apache-2.0

"""Clients of webhooks that retry: urllib3, and curl in two ways."""

import functools
from importlib import metadata
import json
import os

import requests
from requests import adapters
from urllib3.util import retry

from tests.harness import command

TRIES = 3


@functools.cache
def release():
    """Return the clients and their releases."""
    output = command.check(['curl', '--version'])
    return f'urllib3 {metadata.version("urllib3")}, {output.split(" (")[0]}'


def urllib3(method, url, body, headers):
    """Return the last status that urllib3 received."""
    again = retry.Retry(
        total=TRIES, status_forcelist=[409, 503], allowed_methods=None,
        backoff_factor=0.1, raise_on_status=False)
    with requests.Session() as session:
        session.mount('http://', adapters.HTTPAdapter(max_retries=again))
        return session.request(method, url, json=body,
                               headers=headers).status_code


def curl(method, url, body, headers, *more):
    """Return the last status that curl received."""
    return int(command.run([
        'curl', '-sS', '--retry', TRIES, '--retry-delay', 1, *more,
        '-o', os.devnull, '-w', '%{http_code}', '-X', method,
        *[word for name, value in headers.items()
          for word in ('-H', f'{name}: {value}')],
        '-H', 'Content-Type: application/json', '-d', json.dumps(body),
        url]).stdout)


def stubborn_curl(*request):
    """Return the last status of curl, which retries after any error."""
    return curl(*request, '--fail', '--retry-all-errors')


ALL = urllib3, curl, stubborn_curl


def repeat(count, method, url, body, headers):
    """Send a request with each client, which may repeat it.

    :param count: called with the size of a log, returns the tries since, and
        without one returns that size
    :returns: the status that each ended with, and its tries.
    """
    outcomes = []
    for client in ALL:
        before = count()
        outcomes.append((client(method, url, body, headers), count(before)))
    return outcomes


def tries_in(log_path, line):
    """Make a function for :func:`repeat` that counts tries by a log line.

    :param line: one that is written before the answer is.
    """
    def count(since=None):
        if since is None:
            return os.path.getsize(log_path)
        with open(log_path) as log:
            log.seek(since)
            return log.read().count(line)
    return count
