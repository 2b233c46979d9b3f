# SPDX-License-Identifier: Apache-2.0

"""Engines, broker and database fail while people lock, and nothing is lost."""

import collections
from concurrent import futures
import os
import pathlib

from testtools import content

from tests.engines import base
from tests.fire import aftermath
from tests.fire import faults
from tests.fire import user
from tests.rigs import environment
from tests.rigs.services import shared
from tests.storm import picture

SECONDS = int(os.environ.get('HEAT_EXTRAS_FIRE_SECONDS') or 120)
SEED = int(os.environ.get('HEAT_EXTRAS_FIRE_SEED') or 19)
_SLOW = pathlib.Path(__file__).parent / 'slow'
_USERS = 4


class Fire(base.CloudTestCase):
    """A cloud on fire, and people who use it.

    :ivar fire: a :class:`faults.Faults`.
    :ivar users: who has used it.
    """

    locks = True

    def setUp(self):
        super().setUp()
        self.database = picture.Database(self.cloud.database_url)
        self.addCleanup(self.database.close)

    def burn(self, seconds, seed):
        """Let people work while all fails; in the end all is mended."""
        self.fire = faults.Faults(self.cloud, shared.server(self.kind), seed)
        self.users = [user.User(self.cloud.client(), self.database,
                                seed + number, self.locks)
                      for number in range(_USERS)]
        with futures.ThreadPoolExecutor(_USERS) as pool:
            working = [pool.submit(each.run, seconds) for each in self.users]
            self.fire.run(seconds)
            for each in working:
                each.result()
        faults.mended(self.client)

    def lost(self):
        """Return what was seen of locks that were lost."""
        return [text for each in self.users for text in each.violations]

    def inspect(self):
        """Look at what is left; returns what is stuck because of us."""
        with futures.ThreadPoolExecutor(_USERS) as pool:
            after = list(pool.map(
                aftermath.Aftermath.inspect,
                [aftermath.Aftermath(each, self.database, self.locks)
                 for each in self.users]))
        self._tell(after)
        return [text for each in after for text in each.of_ours]

    def under_fire(self):
        """Count the calms in which something failed."""
        return sum(any(begin < until and since < end
                       for since, until in self.fire.spans)
                   for each in self.users for begin, end in each.calms)

    def _tell(self, after):
        figures = sum((each.figures for each in self.users),
                      collections.Counter())
        found = {
            'faults': collections.Counter(self.fire.done),
            'stacks': sum(len(each.paths) for each in self.users),
            'figures': figures, 'calms under fire': self.under_fire(),
            'lost': len(self.lost()),
            'stuck, of Heat': [text for each in after
                               for text in each.of_heat],
            'stuck, of ours': [text for each in after
                               for text in each.of_ours]}
        text = '\n'.join(f'{name}: {value}' for name, value in found.items())
        self.addDetail('figures', content.text_content(text))
        if os.environ.get('HEAT_EXTRAS_TEST_TABLES'):
            print('\n' + text)


class SlowFire(Fire):
    """On engines between whose look and write a lock can come."""

    @classmethod
    def setUpClass(cls):
        # Engines that are started again are to find it, too.
        cls.use_in_class(environment.Environment(_SLOW))
        super().setUpClass()


class FireTest(SlowFire):
    kind = base.MARIADB

    def test_no_lock_is_lost_and_nothing_is_stuck(self):
        self.burn(SECONDS, SEED)
        stuck = self.inspect()
        self.assertEqual([], self.lost())
        self.assertEqual([], stuck)
        self.assertEqual(set(self.fire.KINDS), set(self.fire.done))
        self.assertGreater(self.under_fire(), 0)


class BareTest(Fire):
    """The same without us: what Heat itself loses."""

    kind = base.MARIADB
    features = ''
    locks = False

    def test_all_that_is_left_can_be_deleted_or_is_lost_by_heat(self):
        self.burn(SECONDS, SEED)
        self.assertEqual([], self.inspect())
