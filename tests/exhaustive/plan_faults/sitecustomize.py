# SPDX-License-Identifier: Apache-2.0

"""Break the plan of an update: for a test of its table, and nothing else.

Python loads this from PYTHONPATH before anything else.
``HEAT_EXTRAS_FAULT`` names one of the functions below.
"""

import dataclasses
import os
import pathlib
import runpy

_HARNESS = pathlib.Path(__file__).parents[2] / 'harness'
PACKAGE = 'heat_extras.'


def ignored_property():
    """A change of a property is no change."""
    def break_it(module):
        module.predict_in_place = lambda *given: module.UNCHANGED
    return 'plan.resource_plan', break_it


def replacement_in_place():
    """A property that forces a replacement is said to be updated."""
    def break_it(module):
        predict = module.predict_in_place

        def in_place(*given):
            change = predict(*given)
            return dataclasses.replace(
                change, action=module.change.UPDATE) if (
                    change.action == module.change.REPLACE) else change
        module.predict_in_place = in_place
    return 'plan.resource_plan', break_it


def known_value():
    """No value is unknown."""
    def break_it(module):
        module.Queries.record = lambda self, *source: None
    return 'plan.unknown', break_it


def known_reference():
    """Replaced resources keep their reference."""
    def break_it(module):
        module.ResourceData.reference_id = lambda self: (
            self._data.reference_id())
    return 'plan.unknown', break_it


def unknown_dependency():
    """Whatever a resource refers to may change."""
    def break_it(module):
        module.StackPlan.changes_attributes = lambda self, name: True
    return 'plan.stack_plan', break_it


def forgotten_removal():
    """A resource that the new template lacks is not in the plan."""
    def break_it(module):
        module.StackPlan.possible_names = lambda self: set(self.new_names)
    return 'plan.stack_plan', break_it


def forgotten_nested():
    """The plan ends at nested stacks."""
    def break_it(module):
        module._nested_entries = lambda entry: iter(())
    return 'plan.tree_plan', break_it


def forgotten_mark():
    """A resource that is marked unhealthy stays."""
    def break_it(module):
        predict = module.predict_in_place

        def healthy(current, *given):
            current.status = current.COMPLETE
            return predict(current, *given)
        module.predict_in_place = healthy
    return 'plan.resource_plan', break_it


def forgotten_engine():
    """The engines that work on resources are alive, and no matter."""
    def break_it(module):
        module.Rows._check_engines = lambda self, rows: None
    return 'heat_internals.resource_rows', break_it


def forgotten_members():
    """A group keeps its members when its size changes."""
    def break_it(module):
        module.updated_template = (
            lambda group, current, list_replaced: current.nested().t)
    return 'plan.resource_types', break_it


def changed_by_metadata_only():
    """Metadata do not count."""
    def break_it(module):
        module.is_changed = lambda current, after, before, *both: bool(
            current.update_template_diff_properties(*both))
    return 'plan.resource_plan', break_it


def everything_may_happen():
    """The plan is never wrong, because it leaves all open."""
    def break_it(module):
        entries = module.list_entries
        module.list_entries = lambda plan: [
            dataclasses.replace(each, change=each.change.uncertain())
            for each in entries(plan)]
    return 'plan.tree_plan', break_it


def wrong_order():
    """Replaced resources are deleted first."""
    def break_it(module):
        module.CREATE_FIRST = module.DELETE_FIRST
    return 'plan.tree_plan', break_it


def dropped_reason():
    """The reasons of a replacement are dropped."""
    def break_it(module):
        list_reasons = module.list_reasons
        module.list_reasons = lambda *given: tuple(
            each for each in list_reasons(*given)
            if not each.forces_replacement)
    return 'plan.reasons', break_it


KINDS = (ignored_property, replacement_in_place, known_value, known_reference,
         unknown_dependency, forgotten_removal, forgotten_nested,
         forgotten_mark, forgotten_engine, forgotten_members,
         changed_by_metadata_only, everything_may_happen, wrong_order,
         dropped_reason)

if os.environ.get('HEAT_EXTRAS_FAULT'):
    _name, _act = globals()[os.environ['HEAT_EXTRAS_FAULT']]()
    runpy.run_path(str(_HARNESS / 'after_import.py'))['act'](
        {PACKAGE + _name: _act})
