# SPDX-License-Identifier: Apache-2.0

"""Somebody who gets pages of Horizon without a browser."""

import re
import time

import requests

_ASKED = re.compile(r'"(GET|POST|PUT|DELETE) (/\S*) HTTP')


class PageClient:
    """Is logged in.

    :param horizon: of tests.dashboard.horizon
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
        """Get a page; returns its text and the seconds that it took."""
        begin = time.monotonic()
        answer = self._session.get(self._horizon.url + path)
        answer.raise_for_status()
        return answer.text, time.monotonic() - begin

    def list_requests(self, path):
        """Get a page; returns what Horizon asked other services for it."""
        before = len(self._horizon.process.output())
        self.get(path)
        return _ASKED.findall(self._horizon.process.output()[before:])
