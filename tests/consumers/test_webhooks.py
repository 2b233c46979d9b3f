# SPDX-License-Identifier: Apache-2.0

"""Clients of webhooks that repeat what was refused, or was in vain."""

import functools
from importlib import metadata
import json
import os
from urllib import parse

import requests
from requests import adapters
from urllib3.util import retry

from tests.consumers import base
from tests.consumers import chronicle
from tests.functional import templates
from tests.rigs import command
from tests.rigs import waiting

_TRIES = 3


@functools.cache
def _release():
    """Return what repeats, in which releases."""
    said = command.check(['curl', '--version'])
    return f'urllib3 {metadata.version("urllib3")}, {said.split(" (")[0]}'


class WebhookTest(base.ConsumerTestCase):
    def setUp(self):
        super().setUp()
        self.heat = self.room.client(self.project())
        self.path = self.heat.create_stack(
            'scaled', templates.SCALING, files=templates.FILES)
        answer = self.heat.post(self.path + '/actions',
                                {'lock': {'level': 'stacks'}})
        self.assertEqual(200, answer.status_code, answer.text)

    @property
    def _prefix(self):
        return parse.urlsplit(self.heat.url).path

    def _retry(self, method, path, body):
        """Return the status that urllib3 ended with."""
        again = retry.Retry(
            total=_TRIES, status_forcelist=[409, 503], allowed_methods=None,
            backoff_factor=0.1, raise_on_status=False)
        with requests.Session() as session:
            session.mount('http://', adapters.HTTPAdapter(max_retries=again))
            answer = session.request(
                method, self.heat.url + self.path + path, json=body,
                headers=self.heat.headers())
        return answer.status_code

    def _curl(self, method, path, body, *more):
        """Return the status that curl ended with."""
        return int(command.run([
            'curl', '-sS', '--retry', _TRIES, '--retry-delay', 1, *more,
            '-o', os.path.join(self.room.directory, 'said'),
            '-w', '%{http_code}', '-X', method,
            *[word for name, value in self.heat.headers().items()
              for word in ('-H', f'{name}: {value}')],
            '-H', 'Content-Type: application/json', '-d', json.dumps(body),
            self.heat.url + self.path + path]).stdout)

    def _tries(self, act, method, path, *more):
        """Return the status that something ended with, and its tries."""
        with open(self.room.log_path) as log:
            log.seek(0, os.SEEK_END)
            status = act(method, path, *more)
            # This line is written before the answer is.
            return status, log.read().count(
                f'Processing request: {method} '
                f'{self._prefix}{self.path}{path}\n')

    def _assert_tries(self, asked, status, tries, *request, **rows):
        """Check what urllib3, curl, and curl that repeats any error do.

        :param rows: how many come, by the table, in all
        """
        before = self.room.rows()
        self.assertEqual([(status, count) for count in tries], [
            self._tries(self._retry, *request),
            self._tries(self._curl, *request),
            self._tries(self._curl, *request,
                        '--fail', '--retry-all-errors')])
        waiting.until_equal('the rows', rows, lambda: {
            name: count - before[name]
            for name, count in self.room.rows().items()
            if count != before[name]})
        chronicle.keep_act(
            'webhooks', _release(), asked, came=str(status),
            tries=', '.join(map(str, tries)), rows=rows)

    def test_nobody_repeats_a_signal_that_is_ignored(self):
        self._assert_tries(
            'signal to a scaling policy', 200, (1, 1, 1), 'POST',
            '/resources/scale_up/signal', {},
            event=1, heat_extras_ignored_signal=1, heat_extras_counter=1)

    def test_a_signal_to_a_handle_goes_on(self):
        self._assert_tries(
            "signal to a wait condition's handle, which goes on", 200,
            (1, 1, 1), 'POST', '/resources/handle/signal', {}, event=3)

    def test_a_refusal_is_repeated_in_vain_and_costs_one_row(self):
        for asked, *request in (
                ('a resource to be marked unhealthy', 'PATCH',
                 '/resources/test', {'mark_unhealthy': True}),
                ('update', 'PATCH', '', {'parameters': {}}),
                ('suspend', 'POST', '/actions', {'suspend': None})):
            self._assert_tries(asked, 409, (1 + _TRIES, 1, 1 + _TRIES),
                               *request, heat_extras_counter=1)
