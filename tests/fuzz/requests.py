# SPDX-License-Identifier: Apache-2.0

"""Nearly valid requests to the API of heat-extras."""

import dataclasses
import json

from hypothesis import strategies as st

from tests.fuzz import operator_files

_IDS = st.one_of(st.none(), st.uuids().map(str),
                 st.sampled_from(['0' * 32, 'x', '{%s}' % ('0' * 32)]))
_MOMENTS = st.sampled_from([
    '2099-12-24T18:00:00Z', '2099-12-24T18:00:00.000001+23:59',
    '9999-12-31T23:59:59.1Z', '0001-01-01T00:00:00+01:00', '2020-01-01', '',
    '2099-02-30T00:00:00Z', '2099-12-24T18:00:00', '2099-12-24T24:00:00Z',
    '９999-12-24T18:00:00Z'])
_REASONS = st.one_of(st.none(), operator_files.WORDS)
_USERS = st.one_of(operator_files.entry({'id': operator_files.WORDS}, {}),
                   operator_files.entry({'name': operator_files.WORDS,
                                         'domain': operator_files.WORDS}, {}))
#: Values of the actions by name.
ACTIONS = {
    'lock': operator_files.entry({}, {
        'level': operator_files.nearly(st.just('stacks'),
                                       st.sampled_from(['all', '', 'Stacks'])),
        'reason': _REASONS, 'dry_run': operator_files.nearly(st.just(False),
                                                             None),
        'expires_at': st.one_of(st.none(), _MOMENTS), 'id': _IDS}),
    'unlock': operator_files.entry({}, {'id': _IDS}),
    'extend_lock': operator_files.entry({'expires_at': st.one_of(st.none(),
                                                                 _MOMENTS)},
                                        {'id': _IDS}),
    'lock_pass': operator_files.entry({'user': _USERS, 'expires_at': _MOMENTS},
                                      {'reason': _REASONS}),
    'protect': operator_files.entry({}, {'reason': _REASONS}),
    'unprotect': st.none()}
#: The body that marks a resource.
MARKS = operator_files.entry(
    {'mark_unhealthy': operator_files.nearly(st.just(False), None, 5)},
    {'resource_status_reason': _REASONS})
#: Query parameters.
QUERIES = {
    '/locks': {'limit': st.sampled_from(['1', '1000', '1001', '0', '-1', '9' *
                                         5000, '١']),
               'marker': _IDS.map(str), 'level': st.sampled_from(
                   ['stacks', 'all', 'x']), 'expires_before': _MOMENTS,
               'all_projects': st.sampled_from(['true', 'False', '1'])},
    '$stack/guards': {'nested': st.sampled_from(['true', 'FALSE', '1']),
                      'blocking': st.sampled_from(['delete', 'Mark-Unhealthy',
                                                   'x']),
                      'at': _MOMENTS},
    '/stacks': {'action': st.sampled_from(['LOCK', 'UNLOCK', 'x']),
                'status': st.sampled_from(['COMPLETE', 'FAILED', 'x'])},
    '$stack/resources': {'nested_depth': st.sampled_from(['1', 'x'])},
}


@dataclasses.dataclass
class Request:
    """One request; ``$stack`` in its path stands for the stack."""

    method: str
    path: str
    body: bytes = b''
    query: tuple = ()
    headers: dict = dataclasses.field(default_factory=dict)


def _bodies(value):
    written = value.map(in_json)
    return operator_files.nearly(written, st.one_of(
        written.flatmap(lambda text: st.tuples(
            st.integers(0, len(text)), operator_files.TEXTS).map(
            lambda cut: text[:cut[0]] + cut[1])),
        st.sampled_from(['', '[' * 5000, '1' * 5000, '{"lock": 1e999}',
                         '{"lock": null, "lock": {}}', 'null', '[]', '"x"',
                         '{"lock": null, "unlock": null}', '\ufeff{}']),
        ), 12).map(lambda text: text.encode(errors='surrogatepass'))


def in_json(value):
    """Format a document as JSON."""
    return json.dumps(value, default=lambda huge: 1 << 9000)


_QUERY = st.lists(st.tuples(operator_files.TEXTS, operator_files.TEXTS),
                  max_size=1)


def _queries(known):
    return operator_files.nearly(
        st.fixed_dictionaries({}, optional={
            name: operator_files.nearly(value, operator_files.TEXTS, 8)
            for name, value in known.items()}).map(
                lambda query: list(query.items())), _QUERY, 8)


_HEADERS = operator_files.nearly(
    st.just({}), st.fixed_dictionaries({}, optional={
        'Content-Type': st.sampled_from(['text/plain', 'application/xml', '',
                                         'application/json; charset=x',
                                         'multipart/form-data; boundary=x',
                                         'application/x-www-form-urlencoded']),
        'Accept': st.sampled_from(['text/html', '*/*;q=x', '']),
        'Accept-Language': st.sampled_from(['xx', '*', '']),
        'X-Project-Id': st.just('other'), 'X-Roles': st.just('admin'),
        'X-Auth-User': st.just('root'), 'X-User-Id': st.just('root'),
        'X-Openstack-Request-Id': st.sampled_from(['x', 'req-' + 'a' * 300]),
        'X-Region-Name': st.text('a%s{}', max_size=9),
        'Forwarded': st.sampled_from(['for=x;host=y', '='])}), 4)


def _made(method, path, body=None, query=None):
    return st.builds(Request, st.just(method), st.just(path),
                     st.just(b'') if body is None else body,
                     st.just(()) if query is None else query, _HEADERS)


def all_of_them():
    """Return requests of each kind."""
    actions = st.one_of(*[operator_files.nearly(
        st.fixed_dictionaries({name: operator_files.nearly(
            fields, st.none(), 8)}), often=15)
        for name, fields in ACTIONS.items()])
    reads = [_made('GET', path, query=_queries(known))
             for path, known in QUERIES.items()]
    return st.one_of(
        *[_made('POST', '$stack/actions', _bodies(actions))] * 4,
        _made('PATCH', '$stack/resources/text', _bodies(MARKS),
              _queries({'force': st.sampled_from(['true', 'False', '1'])})),
        *reads)
