# SPDX-License-Identifier: Apache-2.0

"""The plan accuracy tests detect each fault that is injected into plans."""

import pathlib

from tests.functional import plan_cases
from tests.functional import plan_state_cases
from tests.functional import test_plan_accuracy
from tests.harness import environment

_PLACE = pathlib.Path(__file__).parent / 'plan_faults'
_CASES = ('nothing_changes', 'metadata_changes', 'removed_and_added',
          'in_place_keeps_get_resource', 'replaced_by_a_property',
          'an_unknown_value_behind_a_replacing_property', 'nested_property',
          'a_marked_resource', 'resource_group_grows',
          'a_chain_of_attributes')
_STATES = ('update_killed', 'delete_failed')


class _WithFault(test_plan_accuracy.Comparison):
    """A sandbox in which the plan is broken.

    :cvar fault: a function of plan_faults/sitecustomize.py.
    :cvar seen_by: cases that have to see it.
    """

    is_shared = False
    fault, seen_by = None, ()
    settings = test_plan_accuracy.StatesTest.settings
    cases = {**{name: plan_cases.CASES[name] for name in _CASES},
             **{name: plan_state_cases.CASES[name] for name in _STATES}}

    @classmethod
    def setUpClass(cls):
        with environment.Environment(_PLACE,
                                     HEAT_EXTRAS_FAULT=cls.fault):
            super().setUpClass()

    def found(self):
        return set(self.wrong(self.outcomes()))


def _declare(fault, *seen_by):
    def test(self):
        self.assertLessEqual(set(seen_by), self.found())

    name = ''.join(word.title() for word in fault.split('_'))
    globals()[f'{name}FailsWhenUnprotectedTest'] = type(
        f'{name}FailsWhenUnprotectedTest', (_WithFault,), {
            'fault': fault, 'test_fault_is_detected': test,
            '__module__': __name__})


class RightFailsWhenUnprotectedTest(test_plan_accuracy.Comparison):
    """The same cases find no difference in a correct plan."""

    settings, cases = _WithFault.settings, _WithFault.cases

    def test_correct_plan_has_no_differences(self):
        self.assertEqual({}, self.wrong(self.outcomes()))


_declare('ignored_property', 'delete_failed', 'in_place_keeps_get_resource',
         'replaced_by_a_property')
_declare('replacement_in_place', 'replaced_by_a_property')
_declare('known_value', 'an_unknown_value_behind_a_replacing_property',
         'a_chain_of_attributes')
_declare('known_reference', 'replaced_by_a_property')
_declare('unknown_dependency', 'nothing_changes')
_declare('forgotten_removal', 'removed_and_added')
_declare('forgotten_nested', 'nested_property', 'resource_group_grows')
_declare('forgotten_mark', 'a_marked_resource')
_declare('forgotten_engine', 'update_killed')
_declare('forgotten_members', 'resource_group_grows')
_declare('changed_by_metadata_only', 'metadata_changes')
_declare('everything_may_happen', 'nothing_changes', 'nested_property')
_declare('wrong_order', 'replaced_by_a_property', 'a_marked_resource')
_declare('dropped_reason', 'replaced_by_a_property', 'a_marked_resource')
