# SPDX-License-Identifier: Apache-2.0

"""Tests that run the examples of the API reference."""

import datetime
import json
import pathlib
import string

from tests.functional import base

PAGE = (pathlib.Path(__file__).parents[2] / 'doc' / 'source' / 'reference'
        / 'api.rst')

TEMPLATE = {
    'heat_template_version': '2018-08-31',
    'resources': {'text': {'type': 'OS::Heat::RandomString'}},
}


def _in_one_hour():
    end = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(
        hours=1)
    return end.strftime('%Y-%m-%dT%H:%M:%SZ')


class Example:
    """A request and its response on the page."""

    def __init__(self, method, path):
        self.method, self.path = method, path
        self.status = None
        self.sent, self.answered = [], []

    @staticmethod
    def document(lines, values):
        """Return the JSON document, with the values of its variables."""
        text = string.Template('\n'.join(lines)).safe_substitute(values)
        return json.loads(text) if text else None


def examples():
    """Return the examples of the page, in their order."""
    collected = []
    for line in PAGE.read_text().splitlines():
        mark, _, text = line.strip().partition(' ')
        words = text.split()
        if mark == '>' and words[0] in (
                'GET', 'POST', 'PUT', 'PATCH', 'DELETE'):
            collected.append(Example(*words))
        elif mark == '>':
            collected[-1].sent.append(text)
        elif mark == '<' and collected[-1].status is None:
            collected[-1].status = int(text)
        elif mark == '<':
            collected[-1].answered.append(text)
    return collected


def plan_source(document):
    """Return what identifies the plan in a response, if it has one."""
    for each in ('resource_changes', 'stack'):
        if isinstance(document, dict) and each in document:
            return document[each].get('plan_source') or {}
    return {}


def is_like(wanted, actual):
    """Return whether a response contains everything that the page shows."""
    if wanted == '...':
        return True
    if isinstance(wanted, dict):
        return isinstance(actual, dict) and all(
            key in actual and is_like(value, actual[key])
            for key, value in wanted.items())
    if isinstance(wanted, list):
        return isinstance(actual, list) and len(wanted) <= len(actual) and all(
            is_like(*pair) for pair in zip(wanted, actual, strict=False))
    return wanted == actual


class ApiReferenceTest(base.TestCase):

    def test_examples_match_responses(self):
        path = self.client.create_stack('web', TEMPLATE)
        values = {'soon': _in_one_hour()}
        self.assertEqual(40, len(examples()))
        for example in examples():
            url = example.path.replace('$web', path)
            answer = self.client.request(
                example.method, url,
                json=example.document(example.sent, values))
            details = f'{example.method} {url}: {answer.text}'
            self.assertEqual(example.status, answer.status_code, details)
            if example.answered:
                wanted = example.document(example.answered, {})
                self.assertTrue(is_like(wanted, answer.json()), details)
                values.update(plan_source(answer.json()))

    def test_differing_response_does_not_match(self):
        self.assertTrue(is_like({'a': '...'}, {'a': 1, 'b': 2}))
        self.assertFalse(is_like({'a': None}, {'b': 2}))
        self.assertFalse(is_like([{'a': 1}], [{'a': 2}]))
        self.assertFalse(is_like([1], []))
