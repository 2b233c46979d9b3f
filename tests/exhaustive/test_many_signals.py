# SPDX-License-Identifier: Apache-2.0

"""Many signals do not exhaust an engine, on locked or unlocked stacks."""


from tests.functional import base
from tests.functional import templates
from tests.harness import waiting

# Heat allows itself a thousand threads for each stack.
_MANY = 1020


class ManySignalsTest(base.TestCase):

    def rows(self, table):
        (count,), = self.sandbox.sql(f'SELECT count(*) FROM {table}')
        return count

    def test_many_ignored_signals_add_no_rows_and_no_threads(self):
        path = self.client.create_stack('many', templates.FULL_GROUP)
        self.assertEqual(200, self.client.post(path + '/actions', {
            'lock': {'level': 'stacks'}}).status_code)
        url = f'{path}/resources/policy/signal'
        before = self.rows('event')
        for number in range(_MANY):
            answer = self.client.post(url)
            self.assertEqual(200, answer.status_code,
                             f'signal {number}: {answer.text}')
        # One row counts the signals, and one event reports them.
        waiting.until_equal(
            'the rows of ignored signals', 1,
            lambda: self.rows('heat_extras_ignored_signal'))
        self.assertEqual(before + 1, self.rows('event'))
        self.assertEqual(200, self.client.post(path + '/actions', {
            'unlock': None}).status_code)
        self.assertEqual(200, self.client.post(path + '/actions', {
            'check': None}).status_code)
        self.client.wait_for_stack(path, ['CHECK_COMPLETE'])
