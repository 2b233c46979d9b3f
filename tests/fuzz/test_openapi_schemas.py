# SPDX-License-Identifier: Apache-2.0

"""The API description accepts the same request bodies as the code."""

import datetime
import functools
import json
import re
from unittest import mock

import fixtures
import hypothesis
from hypothesis import strategies as st
import jsonschema
from oslo_utils import uuidutils
import testtools

from heat_extras.health import request as health
from heat_extras.stack_lock import api
from heat_extras.stack_lock import errors
from heat_extras.stack_lock import expiry
from heat_extras.stack_lock import lock_pass
from heat_extras.stack_lock import lock_request
from heat_extras import timestamps
from tests.functional import api_conformity
from tests.fuzz import case_count
from tests.fuzz import operator_files
from tests.fuzz import requests


def _lock(value):
    read = api.rpc_arguments('lock', value)
    named = read.get('named', {})
    lock_request.validate_fields(named, read.get('dry_run', False),
                                 read.get('replace', False))
    lock_request.parse_precondition(read.get('expected'), 'lock')
    expiry.parse_expiration(named.get('expires_at'))


def _unlock(value):
    read = api.rpc_arguments('unlock', value)
    lock_request.check_boolean('ignore_failures',
                               read.get('ignore_failures', False))
    lock_request.parse_precondition(read.get('expected'), 'unlock')


def _extend_lock(value):
    read = api.rpc_arguments('extend_lock', value)
    lock_request.parse_precondition(read.get('expected'), 'extend_lock')
    expiry.parse_expiration(read['expires_at'])


def _lock_pass(value):
    read = api.rpc_arguments('lock_pass', value)
    if read:
        caller = mock.Mock(auth_token_info=None, password=None)
        lock_pass.parse_fields(caller, read['user'], read['expires_at'],
                               read.get('reason'))


def _protect(value):
    read = api.rpc_arguments('protect', value)
    lock_request.validate_reason('reason',
                                 read.get('named', {}).get('reason'))
    lock_request.check_boolean('replace', read.get('replace', False))


# The parsers of the API and of the engine, in order.
READERS = {'lock': _lock, 'unlock': _unlock, 'extend_lock': _extend_lock,
           'lock_pass': _lock_pass, 'protect': _protect}

_ID, _END = '5c0e41d0-9f3a-4b0e-8a53-a0a5ab9b0d3e', '2099-12-24T18:00:00Z'
# A valid body of each action.
_GOOD = {'lock': {}, 'unlock': {'id': _ID}, 'protect': {},
         'extend_lock': {'expires_at': _END},
         'lock_pass': {'user': {'id': 'a'}, 'expires_at': _END}}
_FIELDS = ('level', 'reason', 'dry_run', 'expires_at', 'id', 'user', 'more')
_MARKS = ('mark_unhealthy', 'resource_status_reason', 'more')
# Boundary values of fields, valid and invalid.
_BORDERS = (
    None, True, False, 0, 1.5, [], {}, [None], '', ' ', 'a' * 255, 'a' * 256,
    '\x00', '\t', '\x1f', '\x7f', '\x9f', '\xa0', '\ufffe', '\U0001f512',
    'stacks', 'all', 'Stacks', _ID, _ID.replace('-', ''), _ID[:-1], _END,
    _END[:-1], _END + '\n', '2099-12-24T18:00:00.5+23:59',
    '2099-12-24T18:00:00+24:00', '2099-12-24 18:00:00Z',
    '2099-02-29T18:00:00Z', {'id': 'a'}, {'id': ''}, {'id': None},
    {'id': 'a' * 256}, {'name': 'a'},
    {'name': 'a', 'domain': 'b'}, {'id': 'a', 'name': 'b', 'domain': 'c'})


def _around(good, fields):
    """Yield bodies that differ from a valid body in one place."""
    yield from (*_BORDERS, good)
    for name in fields:
        yield {key: good[key] for key in good if key != name}
        yield from ({**good, name: each} for each in _BORDERS)


_FORMATS = jsonschema.FormatChecker(formats=())


@_FORMATS.checks('uuid')
def _is_id(value):
    return not isinstance(value, str) or uuidutils.is_uuid_like(value)


@_FORMATS.checks('date-time')
def _is_moment(value):
    # Valid dates and hours. The pattern checks the format.
    if not isinstance(value, str):
        return True
    try:
        # The conversion to UTC can exceed the range of years.
        if value.startswith(('0001-01-01', '9999-12-31')):
            return bool(timestamps.parse(value))
        return bool(datetime.datetime.fromisoformat(value[:19]))
    except ValueError:
        return False


def _pattern(validator, pattern, value, schema):
    # As in JavaScript: $ matches only at the end, not before a newline.
    if isinstance(value, str) and not re.search(
            pattern.replace('$', r'\Z'), value):
        yield jsonschema.ValidationError(f'{value!r} is not {pattern}')


_Validator = jsonschema.validators.extend(
    jsonschema.Draft202012Validator, {'pattern': _pattern})


def is_described(schema, value):
    """Return whether a schema of the description accepts a value."""
    shipped = api_conformity.shipped().document
    return _Validator({**schema, 'components': shipped['components']},
                      format_checker=_FORMATS).is_valid(value)


def _in_json(value):
    # Thousands of digits, and halves of surrogate pairs, are not valid values
    # for users of a description.
    try:
        parsed = json.loads(requests.in_json(value))
        json.dumps(parsed, ensure_ascii=False).encode()
        return parsed
    except ValueError:
        return hypothesis.reject()


def _body_of(method, last):
    shipped = api_conformity.shipped().document
    operation, = (methods[method]
                  for path, methods in shipped['paths'].items()
                  if path.endswith(last) and method in methods)
    return operation['requestBody']['content']['application/json']['schema']


class RequestSchemaTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        # There is no database with a character set.
        self.useFixture(fixtures.MockPatch(
            'heat_extras.db.charset.get_charsets', lambda engine: ()))
        self.useFixture(fixtures.MockPatch('heat.db.api.get_engine'))

    def test_schemas_accept_same_boundary_values_as_api(self):
        for name, read in READERS.items():
            for around in _around(_GOOD[name], _FIELDS):
                self._check(_body_of('post', '/actions'), {name: around},
                            functools.partial(read, around))
        for around in _around({'mark_unhealthy': True}, _MARKS):
            self._check(_body_of('patch', '/{resource_name}'), around,
                        functools.partial(health.parse_body, around))

    @case_count.cases(4)
    @hypothesis.given(st.fixed_dictionaries({name: operator_files.nearly(
        requests.ACTIONS[name], operator_files.anything(), 12)
                                             for name in READERS}))
    def test_action_schemas_accept_same_bodies_as_api(self, drawn):
        for name, value in drawn.items():
            in_json = _in_json(value)
            self._check(_body_of('post', '/actions'), {name: in_json},
                        functools.partial(READERS[name], in_json))

    @case_count.cases(2)
    @hypothesis.given(operator_files.nearly(requests.MARKS,
                                            operator_files.anything(), 12))
    def test_mark_unhealthy_schema_accepts_same_bodies_as_api(self, value):
        value = _in_json(value)
        self._check(_body_of('patch', '/{resource_name}'), value,
                    lambda: health.parse_body(value))

    def _check(self, schema, value, read):
        try:
            read()
        except (ValueError, errors.StackLockInvalid) as error:
            self.assertFalse(is_described(schema, value), f'{value} {error}')
        else:
            self.assertTrue(is_described(schema, value), value)
