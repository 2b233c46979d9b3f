# SPDX-License-Identifier: Apache-2.0

from concurrent import futures

import fixtures
from heat.engine.hot import functions
import testtools

from heat_extras.sandbox import heat_process

_EXPRESSIONS = 200


class YaqlTest(testtools.TestCase):

    def test_threads_parse_expressions_one_after_another(self):
        self.useFixture(fixtures.MockPatchObject(
            functions.Yaql, 'get_yaql_parser',
            functions.Yaql.get_yaql_parser))
        heat_process._serialize_yaql()
        with futures.ThreadPoolExecutor(8) as pool:
            parsed = pool.map(self._parse, range(_EXPRESSIONS))
            self.assertEqual(list(range(_EXPRESSIONS)), list(parsed))

    def _parse(self, number):
        text = functions.Yaql(None, 'yaql', {
            'expression': '$.data.x.where($ > 0).select($ + 1).sum() - 5',
            'data': {'x': [1, number + 1, 0, 1]}})
        return text.result() - 1
