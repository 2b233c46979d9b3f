# SPDX-License-Identifier: Apache-2.0

"""No request causes a server error, and rejected ones change nothing."""

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


# Tables that change without requests, or count rejections: engines, counters,
# and schema versions.
_NOT = {'service', 'migrate_version', 'alembic_version', 'sqlite_sequence',
        'heat_extras_engine', 'heat_extras_counter', 'heat_extras_freezes',
        'heat_extras_alembic_version'}


class OnSandbox(base.TestCase):
    """A sandbox with two stacks, one of which is locked."""

    is_shared = False

    def setUp(self):
        super().setUp()
        self.paths = {name: self.client.create_stack(name, TEMPLATE)
                      for name in ('free', 'locked')}
        self.answers = collections.Counter()
        self.told = 'the beginning'
        self.restore()

    def restore(self):
        """Restore the unlocked and the locked stack."""
        for path in self.paths.values():
            # Locks of level all continue in a thread.
            self.client.wait_for_end(path)
            for action in 'unlock', 'unprotect':
                self.client.post(path + '/actions', {action: None})
                self.client.wait_for_end(path)
        self.client.post(self.paths['locked'] + '/actions',
                         {'lock': {'level': 'stacks'}})
        self.known = self.settled_rows()

    def settled_rows(self):
        """Return the rows when they do not change any more.

        Heat still writes after the status of an operation's end is shown.
        """
        seen = [None]

        def has_settled(rows):
            seen.append(rows)
            return rows == seen[-2]

        return waiting.until('rows that stay', self.rows, has_settled)

    def rows(self):
        """Return all rows that requests can change, by table."""
        with self.sandbox.database() as database:
            names = {name for name, in database.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table'")}
            return {name: database.execute(
                f'SELECT * FROM {name}').fetchall()  # nosec B608
                for name in sorted(names - _NOT)}

    def check(self, request, name):
        """Fail if a request causes a server error or a forbidden change."""
        # Changes after the previous response also count.
        self.assertEqual(self.known, self.rows(), f'after {self.told}')
        try:
            answer = self.send(request, self.paths[name])
        except AssertionError:
            # Restore for the next requests, which search a shorter case.
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
        # If all requests were rejected alike, nothing was tested.
        self.assertLessEqual({200, 400, 409}, set(self.answers))

    @case_count.cases(10)
    @hypothesis.given(requests.all_of_them(),
                      st.sampled_from(['free', 'locked']))
    def _try(self, request, name):
        self.check(request, name)
