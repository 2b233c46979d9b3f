# SPDX-License-Identifier: Apache-2.0

"""Tests that undescribed responses fail the functional tests."""

import json

import requests
import testtools

from tests.functional import api_conformity

_STACK = 'http://127.0.0.1:1/v1/p/stacks/web/5c0e41d0'
_LOCKS = 'http://127.0.0.1:1/v1/p/locks'
_LOCK = {
    'id': '5c0e41d0-9f3a-4b0e-8a53-a0a5ab9b0d3e', 'stack_id': 's',
    'stack_name': 'web', 'project': 'p', 'level': 'stacks',
    'status': 'LOCK_COMPLETE', 'reason': None, 'locked_by': 'alice',
    'locked_at': '2026-11-23T18:00:00Z', 'expires_at': None, 'pass': None}
_FAULT = {'code': 409, 'title': 'Conflict', 'explanation': '',
          'error': {'type': 'StackLocked', 'message': '', 'traceback': None}}


def answer(url, body, method='GET', status=200):
    """Return a response of requests."""
    made = requests.Response()
    made.status_code, made.url = status, url
    made.headers['Content-Type'] = 'application/json'
    made._content = json.dumps(body).encode()
    made.request = requests.Request(method, url).prepare()
    return made


class FailsWhenUnprotectedTest(testtools.TestCase):

    def check(self, *args, **more):
        api_conformity.shipped().check(answer(*args, **more))

    def refuse(self, *args, **more):
        error = self.assertRaises(api_conformity.NotDescribed, self.check,
                                  *args, **more)
        self.assertIn(args[0], str(error))

    def test_described_responses_are_accepted(self):
        self.check(_LOCKS, {'locks': [_LOCK], 'links': []})
        self.check(_STACK, {'stack': {'lock_level': None, 'id': 's'}})
        self.check(_STACK + '/actions', None, 'POST')
        self.check(_STACK, _FAULT, 'DELETE', 409)
        self.check(_STACK + '/events', {'events': []})

    def test_unknown_and_missing_fields_are_rejected(self):
        self.refuse(_LOCKS, {'locks': [{**_LOCK, 'more': 1}], 'links': []})
        self.refuse(_LOCKS, {'locks': [
            {key: _LOCK[key] for key in _LOCK if key != 'pass'}],
            'links': []})

    def test_invalid_values_are_rejected(self):
        self.refuse(_LOCKS + '?limit=1', {
            'locks': [{**_LOCK, 'status': 'LOCKED'}], 'links': []})
        self.refuse(_STACK, {'stack': {'lock_level': 'some'}})
        self.refuse(_STACK + '/actions', {'lock': {'id': None}}, 'POST')

    def test_undescribed_status_is_rejected(self):
        self.refuse(_LOCKS, _FAULT, status=410)

    def test_response_that_is_not_json_is_rejected(self):
        response = answer(_LOCKS, {'locks': [], 'links': []})
        response.headers['Content-Type'] = 'text/html'
        self.assertRaises(api_conformity.NotDescribed,
                          api_conformity.shipped().check, response)

    def test_error_with_status_of_other_error_is_rejected(self):
        self.refuse(_STACK, {**_FAULT, 'code': 400}, 'DELETE', 400)

    def test_error_of_heat_extras_without_message_is_rejected(self):
        fault = {'type': 'StackLocked', 'traceback': None}
        self.refuse(_STACK, {**_FAULT, 'error': fault}, 'DELETE', 409)
        self.check(_STACK, {**_FAULT, 'code': 400, 'error': {
            **fault, 'type': 'UnicodeDecodeError'}}, 'DELETE', 400)

    def test_redirect_responses_are_checked(self):
        response = answer(_STACK, {'stack': {}})
        response.history = [answer(_LOCKS, _FAULT, status=410)]
        self.assertRaises(api_conformity.NotDescribed,
                          api_conformity.shipped().check, response)
