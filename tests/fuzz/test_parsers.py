# SPDX-License-Identifier: Apache-2.0

"""Parsers of templates and requests, without Heat."""

import functools

import hypothesis
from hypothesis import strategies as st
import testtools

from heat_extras.health import request as health
from heat_extras.parameters import rules as parameters
from heat_extras.stack_lock import api
from heat_extras.stack_lock import lock_pass
from heat_extras import timestamps
from heat_extras.update_policy import rules
from tests.fuzz import case_count
from tests.fuzz import operator_files

_KEYS = st.sampled_from([
    'update', 'replace', 'updatable', 'immutable', 'level', 'reason', 'id',
    'expires_at', 'user', 'name', 'domain', 'mark_unhealthy', 'limit',
    'marker', 'resource_status_reason'])
_FOUND = st.one_of(operator_files.anything(), st.dictionaries(
    operator_files.nearly(_KEYS, operator_files.TEXTS),
    operator_files.anything(), max_size=3))
_QUERY = st.sampled_from(['all_projects', 'expires_before', 'level', 'limit',
                          'marker'])
_READERS = [
    rules.parse_allow, timestamps.parse,
    *(functools.partial(api.rpc_arguments, action)
      for action in api.FIELDS),
    health.parse_body,
    lock_pass.parse_user]


class ParsersTest(testtools.TestCase):

    @case_count.cases(6)
    @hypothesis.given(_FOUND, st.sampled_from(_READERS))
    def test_any_value_is_parsed_or_rejected_with_message(self, value, read):
        self._check(lambda: read(value))
        if isinstance(value, dict):
            self._check(lambda: parameters.is_updatable('p', value))

    @case_count.cases(4)
    @hypothesis.given(
        st.dictionaries(operator_files.nearly(_QUERY, operator_files.TEXTS),
                        operator_files.TEXTS, max_size=2),
        st.one_of(operator_files.TEXTS, st.from_regex(
            r'\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?'
            r'(Z|[+-]\d\d:\d\d)\Z')))
    def test_texts_are_parsed_or_rejected_with_message(self, params, written):
        self._check(lambda: api.parse_query(params))
        self._check(lambda: health.parse_force([written]))
        self._check(lambda: timestamps.to_iso(timestamps.parse(written)))

    def _check(self, read):
        try:
            read()
        except ValueError as error:
            # The message is in responses and logs.
            self.assertNotEqual('', str(error))
            self.assertTrue(str(error).encode(errors='surrogatepass'))
