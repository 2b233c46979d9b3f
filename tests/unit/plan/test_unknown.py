# SPDX-License-Identifier: Apache-2.0

"""Tests of values that are not known before the update."""

from unittest import mock

from heat.engine import function
from heat.engine import parameters
import testtools

from heat_extras.plan import unknown


class _Ask(function.Function):
    """A function that queries the value of a parameter."""

    def result(self):
        return self.args.value()


class ResolveTest(testtools.TestCase):

    def setUp(self):
        super().setUp()
        hidden = {'p': mock.Mock(value=lambda: 'now')}
        self.parameters = mock.MagicMock(params=hidden)
        self.parameters.__contains__.side_effect = hidden.__contains__
        self.queries = unknown.Queries()
        unknown.hide_parameters(self.parameters, dict.fromkeys(
            ['p', 'gone'], unknown.MARKER), self.queries)

    def parse(self, raw):
        if raw in ({'ask': 'p'}, {'resource_facade': 'metadata'}):
            return _Ask(None, 'ask', self.parameters.params['p'])
        if isinstance(raw, dict):
            return {key: self.parse(value) for key, value in raw.items()}
        if isinstance(raw, list):
            return list(map(self.parse, raw))
        return raw

    def resolve(self, raw):
        return unknown.resolve_known(raw, mock.Mock(
            queries=self.queries,
            parse=lambda part: (self.parse(part), None)))

    def test_only_values_that_query_parameter_are_unknown(self):
        self.assertEqual(
            {'a': 1, 'b': [2, unknown.MARKER], 'c': {'d': unknown.MARKER}},
            self.resolve({'a': 1, 'b': [2, {'ask': 'p'}],
                          'c': {'d': {'ask': 'p'}}}))

    def test_value_without_query_is_resolved(self):
        self.assertEqual({'a': [1, 'x']}, self.resolve({'a': [1, 'x']}))

    def test_failed_value_is_unknown(self):
        self.parse = mock.Mock(side_effect=ValueError)
        self.assertEqual(unknown.MARKER, self.resolve('x'))

    def test_marker_is_kept(self):
        self.assertEqual([unknown.MARKER, 1],
                         self.resolve([unknown.MARKER, 1]))

    def test_changed_parent_resource_is_unknown(self):
        for is_new, keeps_policies, metadata, policies in (
                (False, True, 0, 0), (False, False, 0, 1), (True, True, 1, 1)):
            stack = mock.Mock(id=None if is_new else 's')
            stack.defn._parent_info = stack.parent_resource
            unknown.hide_parent(stack, keeps_policies, self.queries)
            for wanted, read in ((metadata, 'metadata_get'), (policies, 't')):
                with self.queries.collect() as queries:
                    found = getattr(stack.defn._parent_info, read)
                    if read == 'metadata_get':
                        found()
                self.assertEqual(wanted, len(queries), (is_new, read))

    def test_stand_in_returns_current_value_and_records_query(self):
        stand_in = self.parameters.params['p']
        with self.queries.collect() as queries:
            self.assertEqual('now', stand_in.value())
        self.assertTrue(queries)
        # The schema is the same, and a missing value is None.
        schema = parameters.Schema('String')
        params = {'q': parameters.Parameter('q', schema)}
        unknown.hide_parameters(mock.MagicMock(
            params=params, __contains__=lambda self, name: True), {
                'q': unknown.MARKER}, self.queries)
        self.assertIs(schema, params['q'].schema)
        self.assertIsNone(params['q'].value())


class FillMarkersTest(testtools.TestCase):

    def check(self, wanted, value, now):
        self.assertEqual(wanted, unknown.fill_markers(value, now))

    def test_markers_are_replaced_by_current_values(self):
        marker = unknown.MARKER
        self.check('now', marker, 'now')
        self.check({'a': 1, 'b': 'now'}, {'a': 1, 'b': marker},
                   {'a': 0, 'b': 'now'})
        self.check([1, 'now'], [1, marker], [0, 'now'])

    def test_markers_without_current_value_are_removed(self):
        marker = unknown.MARKER
        self.check(None, marker, None)
        self.check({'a': None}, {'a': None, 'b': marker}, None)
        # The position in the current list is not known.
        self.check(['x'], [marker, marker], ['x'])
