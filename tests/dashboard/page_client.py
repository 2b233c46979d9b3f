# SPDX-License-Identifier: Apache-2.0

"""A client of Horizon's pages without a browser."""

import re
import time

import requests

_REQUEST = re.compile(r'"(GET|POST|PUT|DELETE) (/\S*) HTTP')


class PageClient:
    """The session of a logged-in person.

    :param horizon: a tests.dashboard.horizon.Horizon.
    """

    def __init__(self, horizon, person):
        self._horizon = horizon
        self._session = requests.Session()
        login = f'{horizon.url}/auth/login/'
        self._session.get(login).raise_for_status()
        self._session.post(login, {
            'csrfmiddlewaretoken': self._session.cookies['csrftoken'],
            'username': person.name, 'password': person.password,
            'region': 'default', 'next': '/project/stacks/'},
            headers={'Referer': login}).raise_for_status()

    def get(self, path):
        """Get a page, and return its text and the seconds it took."""
        begin = time.monotonic()
        answer = self._session.get(self._horizon.url + path)
        answer.raise_for_status()
        return answer.text, time.monotonic() - begin

    def list_requests(self, path):
        """Get a page, and return the requests that Horizon sent for it."""
        before = len(self._horizon.process.output())
        self.get(path)
        return _REQUEST.findall(self._horizon.process.output()[before:])
