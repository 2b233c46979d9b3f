# SPDX-License-Identifier: Apache-2.0

"""Locks are kept while engines, message broker and database fail."""

import collections
from concurrent import futures
import os
import pathlib

from testtools import content

from tests.engines import base
from tests.fault_injection import faults
from tests.fault_injection import nodes
from tests.fault_injection import plugin_calls
from tests.fault_injection import stuck_stacks
from tests.fault_injection import user
from tests.functional import lifecycle_base
from tests.harness import environment
from tests.harness import fault_injector
from tests.harness import logs
from tests.harness.services import shared
from tests.harness.services import small_disk
from tests.harness import waiting
from tests.stress import database_state

DATABASE = os.environ.get('HEAT_EXTRAS_FAULT_INJECTION_DATABASE') or 'mariadb'
KIND = {'mariadb': small_disk.SmallDiskMariaDB,
        'postgresql': base.POSTGRESQL,
        'galera': base.GALERA_OF_THREE}[DATABASE]
FAULTS = {'galera': nodes.Faults}.get(DATABASE, faults.Faults)
# With a cluster, each engine uses a separate node.
ENGINES = int(os.environ.get('HEAT_EXTRAS_FAULT_INJECTION_ENGINES')
              or {'galera': 3}.get(DATABASE, 2))
LEGACY = 'HEAT_EXTRAS_FAULT_INJECTION_LEGACY' in os.environ
SECONDS = int(os.environ.get('HEAT_EXTRAS_FAULT_INJECTION_SECONDS') or 120)
SEED = int(os.environ.get('HEAT_EXTRAS_FAULT_INJECTION_SEED') or 19)
_SLOW = pathlib.Path(__file__).parent / 'slow'
_USERS = 4
# Deviations of the clocks of the engines in seconds.
_CLOCKS = (180, -180)
_TOLD_SECONDS = 60


class FaultInjectionTestCase(base.CloudTestCase):
    """A cloud with injected faults, and its users.

    :cvar faults: the names of faults to inject, or None for all.
    :ivar injector: a :class:`faults.Faults`.
    :ivar users: the users of the cloud.
    """

    kind = None
    locks = True
    faults = None
    end_seconds = stuck_stacks.END_SECONDS
    engines = ENGINES
    more = 'convergence_engine = false\n' * LEGACY
    clocks = {f'engine-{number + 1}': _CLOCKS[number % len(_CLOCKS)]
              for number in range(ENGINES)}

    def setUp(self):
        super().setUp()
        log_path = getattr(shared.server(self.kind), 'log_path', None)
        if log_path:
            self.addDetail('database.log', logs.file_content(log_path))
        self.database = database_state.Database(self.cloud.database_url)
        self.addCleanup(self.database.close)

    def burn(self, seconds, seed, is_whole=True):
        """Let users work while faults are injected; finally repair all.

        :param is_whole: whether to continue until each fault was injected.
        """
        self.injector = FAULTS(
            self.cloud, shared.server(*self.cloud.kind), seed)
        self.injector.kinds &= self.faults or self.injector.kinds
        self.users = [user.User(self.cloud.client(), self.database,
                                seed + number, self.cloud.client('bob'),
                                self.locks, self.injector)
                      for number in range(_USERS)]
        faults.inject(self.injector, seconds, self.users, is_whole)
        faults.mended(self.client)

    def lost(self):
        """Return the violations that users have recorded."""
        return [text for each in self.users for text in each.violations]

    def inspect(self):
        """Check all stacks; returns those stuck because of heat-extras."""
        with futures.ThreadPoolExecutor(_USERS) as pool:
            after = list(pool.map(
                stuck_stacks.StuckStacks.inspect,
                [stuck_stacks.StuckStacks(each, self.database, self.locks,
                                          end_seconds=self.end_seconds)
                 for each in self.users]))
        self._tell(after)
        return [text for each in after for text in each.of_ours]

    def untold(self):
        """Return missing and repeated calls of plugins."""
        rows = waiting.last(self.database.untold, lambda rows: not rows,
                            _TOLD_SECONDS)
        under_way = {row['id'] for row in self.database.operations()}
        heard = self.plugins.journal()
        journal = [call for call in heard
                   if call['operation'] not in under_way]
        self.addDetail('calls', content.text_content(str(len(journal))))
        if os.environ.get('HEAT_EXTRAS_TEST_TABLES'):
            print(f'calls of plugins: {len(journal)}, operations: '
                  f'{len({call["operation"] for call in journal})}')
        accepted = sum((each.accepted for each in self.users),
                       collections.Counter())
        return (rows
                + plugin_calls.find_wrong_calls(journal, self.injector.struck)
                + plugin_calls.find_missing_calls(heard, accepted))

    def with_faults(self):
        """Count the hold periods with faults."""
        return sum(any(begin < until and since < end
                       for since, until in self.injector.spans)
                   for each in self.users for begin, end in each.calms)

    def _tell(self, after):
        figures = sum((each.figures for each in self.users),
                      collections.Counter())
        counts = {
            'most at a time': self.injector.most,
            'faults': collections.Counter(self.injector.done),
            'stacks': sum(len(each.paths) for each in self.users),
            'figures': figures, 'hold periods with faults': self.with_faults(),
            'lost': len(self.lost()),
            'stuck, of Heat': [text for each in after
                               for text in each.of_heat],
            'stuck, of ours': [text for each in after
                               for text in each.of_ours]}
        text = '\n'.join(f'{name}: {value}' for name, value in counts.items())
        self.addDetail('figures', content.text_content(text))
        if os.environ.get('HEAT_EXTRAS_TEST_TABLES'):
            print('\n' + text)


class SlowFaultInjection(FaultInjectionTestCase):
    """Fault injection with engines that are slow between check and write."""

    @classmethod
    def setUpClass(cls):
        # Also for engines that are started again.
        cls.plugins = cls.use_in_class(lifecycle_base.Plugins())
        cls.use_in_class(environment.Environment(_SLOW))
        super().setUpClass()


class FaultInjectionTest(SlowFaultInjection):
    kind = KIND

    def test_no_lock_is_lost_and_nothing_is_stuck(self):
        self.burn(SECONDS, SEED)
        problems = {'stuck': self.inspect(), 'lost': self.lost(),
                    'untold': self.untold()}
        self.assertEqual({'stuck': [], 'lost': [], 'untold': []}, problems)
        self.assertGreater(self.injector.most, 1)
        self.assertGreater(self.with_faults(), 0)


class WithoutFeaturesTest(FaultInjectionTestCase):
    """Fault injection without features: the defects of Heat itself."""

    kind = KIND
    features = ''
    locks = False

    @classmethod
    def setUpClass(cls):
        cls.use_in_class(environment.Environment(fault_injector.PLACE))
        super().setUpClass()

    def test_no_stack_is_stuck_because_of_heat_extras(self):
        self.burn(SECONDS, SEED)
        self.assertEqual([], self.inspect())
