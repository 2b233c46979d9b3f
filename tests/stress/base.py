# SPDX-License-Identifier: Apache-2.0

"""Base of the stress tests on all kinds of clouds."""

import collections
import concurrent.futures
import os
import time

from testtools import content

from tests.stress import database_state
from tests.stress import operations as ops
from tests.stress import runner
from tests.stress import stuck_operations
from tests.stress import templates

# Duration of one run; an hour finds more than half a minute.
SECONDS = float(os.environ.get('HEAT_EXTRAS_STRESS_SECONDS', 20))

# A run without a hold period by then continues, but not forever.
_MAX_SECONDS = 3 * SECONDS

# A file to which the figures of each run are added.
FIGURES = os.environ.get('HEAT_EXTRAS_STRESS_FIGURES')

# The runs have a stack each, and run at the same time: Heat waits rather than
# works (heat.engine.scheduler.ENABLE_SLEEP).
LASTING = {
    'update': [ops.UPDATE, ops.PATCH, ops.CANCEL, ops.CANCEL_ONLY],
    'suspend': [ops.SUSPEND, ops.RESUME, ops.UPDATE],
    'check': [ops.CHECK, ops.MARK_UNHEALTHY, ops.EXPORT],
    'snapshot': [ops.SNAPSHOT, ops.SNAPSHOT_DELETE, ops.RESTORE],
    'hook': [ops.UPDATE, ops.HOOK, ops.HOOK],
    'scaling': [ops.SCALE_UP, ops.SCALE_DOWN],
    'nested': [ops.NESTED_PATCH, ops.NESTED_CHECK],
    # Except suspend: Heat cannot resume resources checked or marked meanwhile
    # (heat.engine.resource.Resource.resume).
    'all': [ops.UPDATE, ops.PATCH, ops.CANCEL, ops.CANCEL_ONLY, ops.CHECK,
            ops.MARK_UNHEALTHY, ops.EXPORT, ops.SNAPSHOT,
            ops.SNAPSHOT_DELETE, ops.RESTORE, ops.SCALE_UP, ops.SCALE_DOWN,
            ops.NESTED_PATCH, ops.NESTED_CHECK],
}
DEADLY = {
    'delete': [ops.DELETE],
    'abandon': [ops.ABANDON],
    'nested-delete': [ops.NESTED_DELETE],
}


class StressMixin:
    """Stress runs on a cloud that the test case provides.

    ``cloud_client`` is a client of the functional tests, ``database_url``
    where to look.
    """

    level, tree = runner.STACKS, templates.TREE

    def run_stress(self, operations_by_name, clients):
        """Run all at the same time, then inspect the stacks.

        :param operations_by_name: the operations of each run
        :param clients: how many operations race a lock; of several Heat can
            lose one, which is not looked at then
        :returns: violations of the promise, as sentences
        """
        database = database_state.Database(self.database_url)
        self.addCleanup(database.close)
        with concurrent.futures.ThreadPoolExecutor(
                len(operations_by_name)) as pool:
            running = [pool.submit(self._run_until_end, database, name,
                                   operations, clients)
                       for name, operations in operations_by_name.items()]
        runs = [run for done in running for run in done.result()]
        self._report(runs)
        return [f'{name}: {text}' for name, _, violations in runs
                for text in violations]

    def assert_withstands(self, operations_by_name, clients):
        """Fail on a violation, or if a run has no hold period."""
        violations = self.run_stress(operations_by_name, clients)
        if violations:
            self.fail('%d violations:\n%s' % (
                len(violations), '\n'.join(violations[:40])))
        self.assertEqual([], [name for name in operations_by_name
                              if not self.hold_periods[name]],
                         f'no lock succeeded there: {self.hold_periods}')

    def _run_until_end(self, database, name, operations, clients):
        """Run on one stack after another until the time is over."""
        runs, begin = [], None
        while begin is None or _continues(time.monotonic() - begin, runs):
            target = self._target(database, name, clients, len(runs))
            # The time to create the first stack does not count.
            begin = begin or time.monotonic()
            run = runner.StressRun(target, operations, clients, self.level)
            run.run(max(1, begin + SECONDS - time.monotonic()))
            after = stuck_operations.StuckOperations(target)
            violations = (after.inspect() if clients == 1
                          else after.inspect_roughly())
            runs.append((name, run, run.violations + violations))
        return runs

    def _target(self, database, name, clients, number):
        path = self.cloud_client.create_stack(
            f'stress-{name}-{clients}-{number}-{time.monotonic_ns()}',
            self.tree, files=templates.FILES,
            environment=templates.HOOKS if name == 'hook' else {})
        return ops.Target(self.cloud_client, path, database, self.tree)

    def _report(self, runs):
        self.hold_periods = collections.Counter()
        for name, run, _ in runs:
            self.hold_periods[name] += run.hold_periods
        total = self.hold_periods.total()
        text = '\n'.join([f'{self.id()}: {total} hold periods', *(
            f'{name}: {run.figures()}' for name, run, _ in runs)])
        self.addDetail('runs', content.text_content(text))
        if FIGURES:
            with open(FIGURES, 'a') as sink:
                sink.write(text + '\n')


def _continues(seconds, runs):
    has_hold_period = any(run.hold_periods for _, run, _ in runs)
    return seconds < (SECONDS if has_hold_period else _MAX_SECONDS)


class StressTests(StressMixin):
    """The tests for all kinds of clouds."""

    def test_lock_while_one_operation_is_sent(self):
        self.assert_withstands(LASTING, clients=1)

    def test_lock_while_many_operations_are_sent(self):
        self.assert_withstands(LASTING, clients=4)

    def test_lock_while_deletions_are_sent(self):
        self.assert_withstands(DEADLY, clients=2)
