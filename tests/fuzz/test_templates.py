# SPDX-License-Identifier: Apache-2.0

"""A template is rejected with an error, or accepted completely."""

import json

import hypothesis

from tests.fuzz import case_count
from tests.fuzz import requests
from tests.fuzz import templates
from tests.fuzz import test_requests


class TemplatesTest(test_requests.OnSandbox):

    @case_count.cases(5)
    @hypothesis.given(templates.TEMPLATES)
    def test_no_template_causes_server_error(self, template):
        path = self.paths['free']
        before = self.rows()
        asked = [self._ask(path, template, *each) for each in (
            ('POST', '/validate'), ('POST', '/stacks/preview'),
            ('PUT', '$stack/preview'))]
        codes = [answer.status_code for answer in asked]
        details = f'{codes}: {[answer.text for answer in asked]}'
        self.assertEqual([], [code for code in codes if code >= 500], details)
        if asked[1].status_code >= 400:
            # A template rejected for a new stack is also rejected in updates.
            answer = self._ask(path, template, 'PUT', '$stack')
            self.assertIn(answer.status_code, range(400, 500), answer.text)
        self.assertEqual(before, self.rows(), details)

    def _ask(self, stack, template, method, path):
        named = {'stack_name': 'another'} if path.endswith('s/preview') else {}
        return self.send(requests.Request(method, path, json.dumps(
            {'template': template, **named}, default=lambda huge: 1 << 9000)
            .encode()), stack)
