# SPDX-License-Identifier: Apache-2.0

"""HTTP for tests: with timeouts, and without errors for any status."""

import requests

SECONDS = 120


class Http:
    """Requests to one server.

    :param url: the base URL of all paths
    """

    def __init__(self, url):
        self.url = url

    def headers(self):
        """Return the headers of every request."""
        return {}

    def request(self, method, path, headers=None, **keywords):
        """Send a request.

        :param path: the path after the base URL, or a complete URL
        :param headers: more of them
        :returns: the response of requests, whatever its status
        """
        url = path if path.startswith('http') else self.url + path
        return requests.request(
            method, url, headers={**self.headers(), **(headers or {})},
            timeout=SECONDS, **keywords)

    def get(self, path, **keywords):
        return self.request('GET', path, **keywords)

    def post(self, path, body=None, **keywords):
        return self.request('POST', path, json=body, **keywords)

    def put(self, path, body=None, **keywords):
        return self.request('PUT', path, json=body, **keywords)

    def patch(self, path, body=None, **keywords):
        return self.request('PATCH', path, json=body, **keywords)

    def delete(self, path, **keywords):
        return self.request('DELETE', path, **keywords)


def answers(url, below=500):
    """Return whether a server responds with a status below a limit."""
    try:
        return requests.get(url, timeout=10).status_code < below
    except requests.RequestException:
        return False
