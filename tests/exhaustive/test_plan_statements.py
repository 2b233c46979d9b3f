# SPDX-License-Identifier: Apache-2.0

"""A plan sends as many SQL statements for many resources as for few."""

from tests.exhaustive import test_statements
from tests.functional import actual_changes
from tests.functional import plan_cases

_FEW, _MANY = 3, 12


def _body(size, value, is_chain=False):
    resources = {'a': plan_cases.test(value)}
    for number in range(size):
        before = f'r{number - 1}' if is_chain and number else 'a'
        resources[f'r{number}'] = plan_cases.test(
            plan_cases.attr(before), update_replace_value=value)
    return plan_cases.body({**resources, 'n': {'type': 'm.yaml'}},
                           {'m.yaml': plan_cases.MEMBER})


class PlanStatementsTest(actual_changes.PlanTestCase):

    is_shared = False
    settings = test_statements._SETTINGS.format(convergence='true')

    def count(self, size, value, *more):
        """Return the statements of a preview that changes each resource."""
        path = self.create('-'.join(map(str, ('size', size, value, *more))),
                           _body(size, 'one', *more))
        watch = test_statements._Watch(self.sandbox.log_path)
        # The stack of another test can still be in deletion.
        watch.wait_until_quiet()
        for _ in range(test_statements.REPETITIONS):
            watch.count('preview', lambda: self.client.put(
                path + '/preview', _body(size, value, *more)))
        counts = watch.counts['preview'][-1]
        self.assertNotEqual({}, counts)
        return counts

    def test_more_resources_need_no_more_statements(self):
        for value in ('one', 'two'):
            with self.subTest(value=value):
                self.assertEqual(self.count(_FEW, value),
                                 self.count(_MANY, value))

    def test_longer_attribute_chain_needs_no_more_statements(self):
        self.assertEqual(self.count(_FEW, 'two', True),
                         self.count(_MANY, 'two', True))
