# SPDX-License-Identifier: Apache-2.0

import testtools

from heat_extras.freeze import reach
from heat_extras import guard
from heat_extras.stack_lock import operations
from heat_extras.stack_lock import states

# What asks nothing of Heat that ends, changes or begins something, what is
# asked of locks, and what is asked in the course of something else.
_FREE = {operations.AGENT_SIGNAL, operations.EXPORT,
         operations.PREVIEW,
         operations.READ, operations.PROTECT, operations.UNPROTECT,
         operations.EXTEND_LOCK, operations.LOCK_PASS, operations.OTHER,
         operations.SCALE, operations.NESTED_CREATE, states.LOCK,
         states.UNLOCK}


class ReachTest(testtools.TestCase):
    def test_each_operation_that_a_lock_knows_is_decided_here_too(self):
        self.assertEqual({*operations.TABLE, 'create'},
                         {*reach.ALL, *reach.NEVER, *_FREE})

    def test_none_is_decided_twice(self):
        self.assertEqual(set(), {*reach.ALL} & {*reach.NEVER, *_FREE})
        self.assertNotIn('signal', reach.CHANGES)

    def test_the_actions_of_guards(self):
        self.assertEqual(
            {'update', 'replace', 'delete', 'abandon', 'suspend', 'resume',
             'check', 'snapshot', 'restore', 'mark_unhealthy'},
            {*reach.stopped(frozenset(reach.CHANGES))})
        self.assertEqual(('signal',), reach.stopped(frozenset({'signal'})))
        self.assertLessEqual({*reach.stopped(frozenset(reach.ALL))},
                             {*guard.ACTIONS})
