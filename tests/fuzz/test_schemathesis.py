# SPDX-License-Identifier: Apache-2.0

"""Requests that schemathesis generates from the API description.

Half of them fit it, the others just don't. Answers are compared with it, too,
by the client of functional tests.
"""

import json
import re
import urllib.parse

import hypothesis
from hypothesis import strategies as st

from tests.functional import api_conformity
from tests.fuzz import case_count
from tests.fuzz import test_openapi_schemas
from tests.fuzz import test_requests

try:
    import schemathesis
except ImportError:
    schemathesis = None


# Errors that depend on the time or on the stacks, not on the description.
_KNOWN = re.compile('is in the past|days? ahead|expected a time with')
_NOWHERE = '00000000-0000-0000-0000-000000000000'


def operations(schema):
    """List the operations of heat-extras, and those that it extends.

    Bodies of Heat's own are templates, which ``templates.py`` makes.
    """
    weighted = []
    for path in schema:
        for operation in schema[path].values():
            definition = operation.definition.raw
            if not definition.get('x-heat-extras-only-additions'):
                # More often: bodies have more variants than URLs.
                weighted += [operation] * (4 if 'requestBody' in definition
                                           else 2)
            elif 'requestBody' not in definition:
                weighted.append(operation)
    return weighted


class SchemathesisTest(test_requests.OnSandbox):

    @classmethod
    def setUpClass(cls):
        if schemathesis is None:
            raise cls.skipException('schemathesis is not installed')
        super().setUpClass()
        cls.operations = operations(
            schemathesis.openapi.from_path(str(api_conformity.FILE)))

    def test_responses_conform_to_api_description(self):
        self._try()
        self.assertLessEqual({200, 400, 404, 409}, set(self.answers))

    @case_count.cases(7)
    @hypothesis.given(st.data(), st.sampled_from(['free', 'locked']),
                      st.integers(0, 1 << 16), st.booleans(),
                      st.integers(0, 20))
    def _try(self, data, name, number, is_fitting, lucky):
        operation = self.operations[number % len(self.operations)]
        case = data.draw(operation.as_strategy(
            schemathesis.GenerationMode.POSITIVE if is_fitting
            else schemathesis.GenerationMode.NEGATIVE,
            path_parameters=self._place(operation, name, bool(lucky))))
        self.is_fitting = is_fitting
        self.check(case, name)

    def _place(self, operation, name, is_set):
        _, _, stack_name, stack_id = self.paths[name].split('/')
        wanted = {'tenant_id': self.client.url.rpartition('/')[2],
                  'stack_name': stack_name if is_set else _NOWHERE,
                  'stack_id': stack_id if is_set else _NOWHERE,
                  'resource_name': 'text'}
        return {each.name: wanted[each.name]
                for each in operation.path_parameters}

    def send(self, case, stack):
        arguments = case.as_transport_kwargs(
            base_url=self.client.url.rpartition('/v1/')[0])
        answer = self.client.request(
            arguments['method'], arguments['url'], **{
                key: arguments[key] for key in ('params', 'json', 'data')
                if key in arguments}, headers={
                    'Content-Type': 'application/json'})
        self._compare(case, answer)
        return answer

    def _compare(self, case, answer):
        details = f'{case} gave {answer.status_code}: {answer.text}'
        if answer.status_code == 400 and self.is_fitting:
            self.assertRegex(answer.text, _KNOWN, details)
        if answer.status_code != 200 or case.operation.definition.raw.get(
                'x-heat-extras-only-additions'):
            return
        body = case.operation.definition.raw.get('requestBody')
        if body is not None:
            self.assertTrue(test_openapi_schemas.is_described(
                body['content']['application/json']['schema'],
                json.loads(answer.request.body)), details)
        elif not answer.history:
            # Calls of Heat ignore unknown query parameters. Check the sent
            # parameters, because empty lists of the case are not sent.
            sent = urllib.parse.parse_qs(urllib.parse.urlsplit(
                answer.request.url).query, keep_blank_values=True)
            self.assertLessEqual(set(
                sent), {each.name for each in case.operation.query}, details)
