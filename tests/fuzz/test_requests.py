# SPDX-License-Identifier: Apache-2.0

"""No request makes an error of the server, and a bad one changes nothing."""

import contextlib
import os
import sqlite3
import urllib.parse

import hypothesis
from hypothesis import strategies as st

from heat_extras.sandbox import config
from tests.functional import base
from tests.fuzz import budget
from tests.fuzz import requests

TEMPLATE = {
    'heat_template_version': '2018-08-31',
    'resources': {'text': {'type': 'OS::Heat::TestResource'}},
}


# What requests change. Refusals are counted in a table of their own.
TABLES = ('stack', 'resource', 'event', 'snapshot', 'stack_tag', 'stack_lock',
          'raw_template', 'heat_extras_lock', 'heat_extras_protection',
          'heat_extras_delete_claim', 'heat_extras_operation')


class OnSandbox(base.TestCase):
    """With two stacks, one of which is locked."""

    is_shared = False

    def setUp(self):
        super().setUp()
        self.paths = {name: self.client.create_stack(name, TEMPLATE)
                      for name in ('free', 'locked')}
        self.restore()

    def restore(self):
        """Make both what they are called."""
        for path in self.paths.values():
            # A lock of level all has a thread.
            self.client.wait_for_end(path)
            for action in 'unlock', 'unprotect':
                self.client.post(path + '/actions', {action: None})
                self.client.wait_for_end(path)
        self.client.post(self.paths['locked'] + '/actions',
                         {'lock': {'level': 'stacks'}})

    def rows(self):
        """Return all that requests change."""
        with contextlib.closing(sqlite3.connect(os.path.join(
                self.sandbox.state_dir, config.DATABASE_FILE))) as database:
            return [database.execute(f'SELECT * FROM {table}').fetchall()
                    for table in TABLES]

    def send(self, request, stack):
        """Send a :class:`requests.Request`."""
        path = request.path.replace('$stack', stack)
        if request.query:
            path += '?' + urllib.parse.urlencode(
                [tuple(each.encode(errors='surrogatepass') for each in pair)
                 for pair in request.query])
        return self.client.request(
            request.method, path, data=request.body,
            headers={'Content-Type': 'application/json', **request.headers})


class RequestsTest(OnSandbox):

    @budget.cases(13)
    @hypothesis.given(requests.all_of_them(),
                      st.sampled_from(['free', 'locked']))
    def test_every_answer_is_for_the_client(self, request, name):
        before = self.rows()
        answer = self.send(request, self.paths[name])
        told = f'{request} gave {answer.status_code}: {answer.text}'
        self.assertLess(answer.status_code, 500, told)
        if answer.status_code >= 400 or request.method == 'GET':
            self.assertEqual(before, self.rows(), told)
        else:
            self.restore()
