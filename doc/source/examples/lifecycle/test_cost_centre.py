# SPDX-License-Identifier: Apache-2.0

"""Tests of the example; they need no Heat that runs."""

import types
import unittest

import cost_centre


def stack(*tags, owner_id=None):
    return types.SimpleNamespace(id='1', tags=list(tags), owner_id=owner_id)


class CostCentreTest(unittest.TestCase):

    def setUp(self):
        self.plugin = cost_centre.CostCentre()

    def test_one_cost_centre_is_fine(self):
        self.plugin.do_pre_op(None, stack('cost-centre:4711', 'web'), None,
                              'CREATE')

    def test_a_stack_without_is_denied(self):
        with self.assertRaisesRegex(Exception, 'has 0 tags'):
            self.plugin.do_pre_op(None, stack('web'), None, 'CREATE')

    def test_an_update_is_judged_by_what_it_leads_to(self):
        self.plugin.do_pre_op(None, stack(), stack('cost-centre:1'),
                              'UPDATE')
        with self.assertRaisesRegex(Exception, 'has 0 tags'):
            self.plugin.do_pre_op(None, stack('cost-centre:1'), stack(),
                                  'UPDATE')

    def test_nested_stacks_and_other_actions_pass(self):
        self.plugin.do_pre_op(None, stack(owner_id='root'), None, 'CREATE')
        self.plugin.do_pre_op(None, stack(), None, 'DELETE')

    def test_the_end_is_logged(self):
        with self.assertLogs('cost_centre', 'INFO') as logged:
            self.plugin.do_post_op(None, stack(), None, 'CREATE', True)
        self.assertIn('CREATE None of 1: failed', logged.output[0])


if __name__ == '__main__':
    unittest.main()
