# SPDX-License-Identifier: Apache-2.0

"""Compare the responses of Heat with the description of the API."""

import functools
import json
import pathlib
import re
import urllib.parse

import jsonschema

FILE = pathlib.Path(__file__).parents[2] / 'heat_extras' / 'openapi.json'
_JSON = 'application/json'


class NotDescribed(AssertionError):
    """A response differs from the description."""


class Description:
    """The description of the API in the package."""

    def __init__(self, document):
        self.document = document
        self.faults = document['components']['schemas']['Fault'][
            'x-heat-extras-faults']
        # More specific paths are first.
        self._paths = [
            (re.compile(f'.*{re.sub("{[^}]+}", "[^/]+", path)}'), methods)
            for path, methods in sorted(
                document['paths'].items(), key=lambda item: (
                    item[0].count('{'), item[0]))]

    def operation(self, method, url):
        """Return the description of a request, or None."""
        path = urllib.parse.urlsplit(url).path
        for pattern, methods in self._paths:
            if pattern.fullmatch(path) and method.lower() in methods:
                return methods[method.lower()]
        return None

    def validator(self, schema):
        """Return a validator of a schema of the description."""
        # Where its references lead.
        return jsonschema.Draft202012Validator(
            {**schema, 'components': self.document['components']})

    def check(self, answer):
        """Insist on an answer that is described.

        :param answer: of requests, whatever its status.
        :raises NotDescribed: saying how it differs.
        """
        for each in (*answer.history, answer):
            self._check_fault(each)
            operation = self.operation(each.request.method, each.url)
            # Internal errors of Heat are not checked.
            if operation is not None and each.status_code < 500:
                self._check(operation, each)

    def _check(self, operation, answer):
        is_heats = operation.get('x-heat-extras-only-additions')
        wanted = operation['responses'].get(str(answer.status_code))
        if wanted is None and is_heats:
            return
        if wanted is None:
            raise NotDescribed(_told(
                answer, 'no such status is described; wanted one of '
                f'{", ".join(operation["responses"])}'))
        if _JSON in wanted.get('content', {}):
            self._check_body(wanted['content'][_JSON]['schema'], answer)

    def _check_body(self, schema, answer):
        is_json = answer.headers.get('Content-Type', '').startswith(_JSON)
        if answer.status_code == 404 and not is_json:
            # The URL does not exist in Heat without heat-extras.
            return
        if 'application/xml' in answer.request.headers.get(
                'Content-Type', ''):
            # Heat reports errors of XML requests in XML.
            return
        if not is_json:
            raise NotDescribed(_told(answer, 'that is no JSON'))
        for error in self._validator(json.dumps(schema)).iter_errors(
                answer.json()):
            raise NotDescribed(_told(answer, f'{error.json_path}: '
                                     f'{error.message[:300]}'))

    @functools.cache  # noqa: B019
    def _validator(self, text):
        return self.validator(json.loads(text))

    def _check_fault(self, answer):
        if answer.status_code < 400 or not answer.headers.get(
                'Content-Type', '').startswith(_JSON):
            return
        body = answer.json()
        error = body.get('error') if isinstance(body, dict) else None
        fault = self.faults.get((error or {}).get('type'))
        if fault is not None:
            self._check_body({
                '$ref': '#/components/schemas/Fault',
                'properties': {'code': {'const': fault['code']},
                               'error': {'required': ['message']}}}, answer)


def _told(answer, text):
    return (f'{answer.request.method} {answer.url} gave '
            f'{answer.status_code}: {answer.text[:2000]}: {text}')


@functools.cache
def shipped():
    """Return the description of the API in the package."""
    return Description(json.loads(FILE.read_text()))
