# SPDX-License-Identifier: Apache-2.0

"""What the storms over all kinds of clouds share."""

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

# Of one storm; an hour finds more than half a minute.
SECONDS = float(os.environ.get('HEAT_EXTRAS_STRESS_SECONDS', 20))

# A line that saw no calm by then goes on, but not for ever.
_PATIENCE = 3 * SECONDS

# A file to which the figures of each storm are added.
FIGURES = os.environ.get('HEAT_EXTRAS_STRESS_FIGURES')

# Each line blows over a stack of its own, all at the same time: Heat waits
# rather than works (heat.engine.scheduler.ENABLE_SLEEP).
LASTING = {
    'update': [ops.UPDATE, ops.PATCH, ops.CANCEL, ops.CANCEL_ONLY],
    'suspend': [ops.SUSPEND, ops.RESUME, ops.UPDATE],
    'check': [ops.CHECK, ops.MARK_UNHEALTHY, ops.EXPORT],
    'snapshot': [ops.SNAPSHOT, ops.SNAPSHOT_DELETE, ops.RESTORE],
    'hook': [ops.UPDATE, ops.HOOK, ops.HOOK],
    'scaling': [ops.SCALE_UP, ops.SCALE_DOWN],
    'nested': [ops.NESTED_PATCH, ops.NESTED_CHECK],
    # But suspend: Heat cannot resume what was checked or marked meanwhile
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


class StormMixin:
    """Storms over a cloud that the test case provides.

    ``cloud_client`` is a client of the functional tests, ``database_url``
    where to look.
    """

    level, tree = runner.STACKS, templates.TREE

    def storm_over(self, lines, clients):
        """Let all *lines* blow at once, and look at what is left.

        :param clients: how many operations race a lock; of several Heat can
            lose one, which is not looked at then
        :returns: violations of the promise, as sentences
        """
        database = database_state.Database(self.database_url)
        self.addCleanup(database.close)
        with concurrent.futures.ThreadPoolExecutor(len(lines)) as pool:
            running = [pool.submit(self._line, database, name, lines[name],
                                   clients) for name in lines]
        blown = [one for done in running for one in done.result()]
        self._tell(blown)
        return [f'{name}: {text}' for name, _, violations in blown
                for text in violations]

    def assert_withstands(self, lines, clients):
        """Fail if the storm finds a violation, or a line never a calm."""
        violations = self.storm_over(lines, clients)
        if violations:
            self.fail('%d violations:\n%s' % (
                len(violations), '\n'.join(violations[:40])))
        self.assertEqual([], [name for name in lines
                              if not self.calms[name]],
                         f'no lock succeeded there: {self.calms}')

    def _line(self, database, name, operations, clients):
        """Blow over one stack after the other, until the time is over."""
        blown, begin = [], None
        while begin is None or _goes_on(time.monotonic() - begin, blown):
            target = self._target(database, name, clients, len(blown))
            # The time that the first stack takes does not count.
            begin = begin or time.monotonic()
            one = runner.Storm(target, operations, clients, self.level)
            one.run(max(1, begin + SECONDS - time.monotonic()))
            after = stuck_operations.StuckOperations(target)
            found = (after.inspect() if clients == 1
                     else after.inspect_roughly())
            blown.append((name, one, one.violations + found))
        return blown

    def _target(self, database, name, clients, number):
        path = self.cloud_client.create_stack(
            f'storm-{name}-{clients}-{number}-{time.monotonic_ns()}',
            self.tree, files=templates.FILES,
            environment=templates.HOOKS if name == 'hook' else {})
        return ops.Target(self.cloud_client, path, database, self.tree)

    def _tell(self, blown):
        self.calms = collections.Counter()
        for name, one, _ in blown:
            self.calms[name] += one.calms
        text = '\n'.join([f'{self.id()}: {self.calms.total()} calms', *(
            f'{name}: {one.figures()}' for name, one, _ in blown)])
        self.addDetail('storms', content.text_content(text))
        if FIGURES:
            with open(FIGURES, 'a') as sink:
                sink.write(text + '\n')


def _goes_on(seconds, blown):
    is_calm = any(one.calms for _, one, _ in blown)
    return seconds < (SECONDS if is_calm else _PATIENCE)


class StormTests(StormMixin):
    """The storms that every cloud has to withstand."""

    def test_one_operation_against_a_lock(self):
        self.assert_withstands(LASTING, clients=1)

    def test_many_operations_against_a_lock(self):
        self.assert_withstands(LASTING, clients=4)

    def test_deletions_against_a_lock(self):
        self.assert_withstands(DEADLY, clients=2)
