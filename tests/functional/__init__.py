# SPDX-License-Identifier: Apache-2.0

"""Tests of a whole Heat; those that can use the same one come together."""

import os

from tests.rigs import suites

# Classes that take long, and their seconds on two processors: stestr shares
# them out evenly where it has no times of an earlier run (tools/share_out.py).
SECONDS = {
    'test_statements.ConvergenceTest': 107,
    'test_statements.LegacyTest': 107,
    'test_update_policy_rollback_again.AgainTest': 105,
    'test_update_policy_rollback_again.AgainLegacyTest': 100,
    'test_update_policy_rollback.RollbackTest': 104,
    'test_update_policy_rollback.RollbackOfLegacyWithPluginsTest': 50,
    'test_plugin_limits_living.ConvergenceTest': 100,
    'test_nested.ConvergenceTest': 89,
    'test_nested.LegacyTest': 73,
    'test_parameters_rollback.RollbackTest': 74,
    'test_parameters_rollback.RollbackOfLegacyTest': 60,
    'test_removal.RemovalTest': 72,
    'test_lifecycle.ConvergenceTest': 68,
    'test_lifecycle_overtaken.LegacyTest': 67,
    'test_plugin_webhook_hidden.LegacyHiddenTest': 59,
    'test_sandbox.LifeTest': 54,
    'test_client.OpenStackClientTest': 54,
    'test_stack_lock_rescue.RescueTest': 53,
    'test_update_policy_rollback.RollbackWithPluginsTest': 52,
    'test_plugin_webhook_away.ConvergenceTest': 51,
    'test_lifecycle_recovery.EngineTest': 50,
    'test_update_policy_table.TableTest': 48,
    'test_parameters_nested.NestedTest': 48,
    'test_removal_steps.StepsTest': 47,
    'test_plugin_webhook_hidden.HiddenTest': 47,
    'test_removal_live.LiveTest': 40,
    'test_parent_call.ConvergenceTest': 40,
    'test_stack_lock_taken.TakenTest': 38,
    'test_stack_lock_rescue.WhichTest': 38,
    'test_race_windows.WindowTest': 37,
    'test_off.BackOnTest': 36,
    'test_lifecycle_overtaken.ConvergenceTest': 36,
    'test_devstack.DevstackTest': 35,
    'test_update_policy_nested.NestedTest': 34,
    'test_plugin_limits.LimitsTest': 31,
    'test_sandbox.StopTest': 30,
}


def load_tests(loader, tests, pattern):
    """Find the tests of this package, as unittest asks each package.

    They come in an order in which a process starts as few Heats as it can.
    """
    found = loader.discover(os.path.dirname(__file__), pattern)
    tests.addTests(sorted(suites.each(found), key=_heat_of))
    return tests


def _heat_of(test):
    kind = type(test)
    wanted = [getattr(kind, name, None)
              for name in ('is_shared', 'options', 'settings')]
    return repr(wanted), kind.__module__, kind.__qualname__
