# SPDX-License-Identifier: Apache-2.0

"""Signed URLs of a scaling policy for the cfn API."""

import requests

from tests.consumers import base
from tests.consumers import results_file
from tests.consumers import retrying_clients
from tests.functional import templates
from tests.harness import waiting

_TEMPLATE = {**templates.SCALING, 'outputs': {
    'url': {'value': {'get_attr': ['scale_up', 'alarm_url']}}}}


class SignedUrlTest(base.ConsumerTestCase):
    is_real = True

    def setUp(self):
        super().setUp()
        self.heat = self.environment.client(None)
        self.path = self.heat.create_stack(
            'scaled', _TEMPLATE, files=templates.FILES)
        self.addCleanup(waiting.until_equal, 'the name to be free', 404,
                        lambda: self.heat.get('/stacks/scaled').status_code)
        self.addCleanup(self.heat.delete, self.path)
        output, = self.heat.show_stack(self.path)['outputs']
        self.url = output['output_value']

    def _act(self, name, fields=None):
        answer = self.heat.post(f'{self.path}/actions', {name: fields})
        self.assertEqual(200, answer.status_code, answer.text)

    def _members(self):
        group = self.heat.get(f'{self.path}/resources/group').json()[
            'resource']['physical_resource_id']
        return len(self.heat.get(f'/stacks/{group}/resources').json()[
            'resources'])

    def test_signal_is_ignored_until_unlock(self):
        self._act('lock', {'level': 'stacks'})
        count = retrying_clients.tries_in(
            self.environment.cloud.logs()['heat-api-cfn'],
            'Processing request: POST')
        self.assertEqual([(200, 1)] * len(retrying_clients.ALL),
                         retrying_clients.repeat(count, 'POST', self.url, {},
                                                 {}))
        self.assertEqual(1, self._members())
        self._act('unlock')
        event, = self.heat.get(
            f'{self.path}/events?sort_dir=desc&limit=1').json()['events']
        self.assertIn(f'{len(retrying_clients.ALL)} signals were ignored',
                      event['resource_status_reason'])
        self.assertEqual(200, retrying_clients.curl('POST', self.url, {}, {}))
        waiting.until_equal('the members', 2, self._members)
        results_file.keep_act(
            'webhooks', retrying_clients.release(),
            'signal by a URL that is signed for the cfn API', came='200',
            tries='1, 1, 1', rows={})

    def test_signal_with_invalid_signature_is_rejected(self):
        answer = requests.post(self.url + 'A', timeout=60)
        self.assertEqual(403, answer.status_code, answer.text)
        self.assertEqual(1, self._members())
