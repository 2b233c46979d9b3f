# SPDX-License-Identifier: Apache-2.0

"""Clients of webhooks that retry rejected or ignored requests."""

from urllib import parse

from tests.consumers import base
from tests.consumers import results_file
from tests.consumers import retrying_clients
from tests.functional import templates
from tests.harness import waiting

# Tries of urllib3, curl, and curl that retries after any error.
_REPEATED = (1 + retrying_clients.TRIES, 1, 1 + retrying_clients.TRIES)
_ONCE = (1, 1, 1)


class WebhookTest(base.ConsumerTestCase):
    def setUp(self):
        super().setUp()
        self.heat = self.environment.client(self.project())
        self.path = self.heat.create_stack(
            'scaled', templates.SCALING, files=templates.FILES)
        answer = self.heat.post(self.path + '/actions',
                                {'lock': {'level': 'stacks'}})
        self.assertEqual(200, answer.status_code, answer.text)

    def _repeat(self, method, path, body):
        url = self.heat.url + self.path + path
        return retrying_clients.repeat(
            retrying_clients.tries_in(
                self.environment.log_path, f'Processing request: {method} '
                f'{parse.urlsplit(url).path}\n'),
            method, url, body, self.heat.headers())

    def _assert_tries(self, asked, status, tries, *request, **rows):
        """Check the statuses and tries of each client.

        :param rows: the total number of new rows by table
        """
        before = self.environment.rows()
        self.assertEqual([(status, count) for count in tries],
                         self._repeat(*request))
        waiting.until_equal('the rows', rows, lambda: {
            name: count - before[name]
            for name, count in self.environment.rows().items()
            if count != before[name]})
        results_file.keep_act(
            'webhooks', retrying_clients.release(), asked, came=str(status),
            tries=', '.join(map(str, tries)), rows=rows)

    def test_clients_do_not_repeat_ignored_signal(self):
        self._assert_tries(
            'signal to a scaling policy', 200, _ONCE, 'POST',
            '/resources/scale_up/signal', {},
            event=1, heat_extras_ignored_signal=1, heat_extras_counter=1)

    def test_signal_to_handle_is_processed_while_locked(self):
        self._assert_tries(
            "signal to a wait condition's handle, which goes on", 200, _ONCE,
            'POST', '/resources/handle/signal', {}, event=3)

    def test_repeated_rejected_requests_add_one_row(self):
        for asked, *request in (
                ('a resource to be marked unhealthy', 'PATCH',
                 '/resources/test', {'mark_unhealthy': True}),
                ('update', 'PATCH', '', {'parameters': {}}),
                ('suspend', 'POST', '/actions', {'suspend': None})):
            self._assert_tries(asked, 409, _REPEATED, *request,
                               heat_extras_counter=1)
