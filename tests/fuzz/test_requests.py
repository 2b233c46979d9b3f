# SPDX-License-Identifier: Apache-2.0

"""No request makes an error of the server, and a bad one changes nothing."""

import collections
import urllib.parse

import hypothesis
from hypothesis import strategies as st

from tests.functional import base
from tests.fuzz import case_count
from tests.fuzz import requests
from tests.harness import waiting

TEMPLATE = {
    'heat_template_version': '2018-08-31',
    'resources': {'text': {'type': 'OS::Heat::TestResource'}},
}


# What changes by itself, or counts refusals: what is said of engines, of calls
# for attention, and of the schemas.
_NOT = {'service', 'migrate_version', 'alembic_version', 'sqlite_sequence',
        'heat_extras_engine', 'heat_extras_counter', 'heat_extras_freezes',
        'heat_extras_alembic_version'}


class OnSandbox(base.TestCase):
    """With two stacks, one of which is locked."""

    is_shared = False

    def setUp(self):
        super().setUp()
        self.paths = {name: self.client.create_stack(name, TEMPLATE)
                      for name in ('free', 'locked')}
        self.answers = collections.Counter()
        self.told = 'the beginning'
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
        self.known = self.settled_rows()

    def settled_rows(self):
        """Return the rows when they stay as they are.

        Heat still writes after the status of an operation's end is shown.
        """
        seen = [None]

        def has_settled(rows):
            seen.append(rows)
            return rows == seen[-2]

        return waiting.until('rows that stay', self.rows, has_settled)

    def rows(self):
        """Return all that requests change, by table."""
        with self.sandbox.database() as database:
            names = {name for name, in database.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table'")}
            return {name: database.execute(
                f'SELECT * FROM {name}').fetchall()  # nosec B608
                for name in sorted(names - _NOT)}

    def check(self, request, name):
        """Fail if a request makes an error, or changes what it must not."""
        # Later than its answer counts, too.
        self.assertEqual(self.known, self.rows(), f'after {self.told}')
        try:
            answer = self.send(request, self.paths[name])
        except AssertionError:
            # For the next ones, which look for a shorter case.
            self.restore()
            raise
        self.answers[answer.status_code] += 1
        self.told = f'{request} gave {answer.status_code}: {answer.text}'
        self.assertLess(answer.status_code, 500, self.told)
        if answer.status_code >= 400 or request.method == 'GET':
            self.assertEqual(self.known, self.rows(), self.told)
        else:
            self.restore()

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

    def test_no_request_causes_server_error(self):
        self._try()
        # What is refused alike has tried nothing.
        self.assertLessEqual({200, 400, 409}, set(self.answers))

    @case_count.cases(10)
    @hypothesis.given(requests.all_of_them(),
                      st.sampled_from(['free', 'locked']))
    def _try(self, request, name):
        self.check(request, name)
