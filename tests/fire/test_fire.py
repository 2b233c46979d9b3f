# SPDX-License-Identifier: Apache-2.0

"""Engines, broker and database fail while people lock, and nothing is lost."""

import collections
from concurrent import futures
import os
import random

from testtools import content

from tests.engines import base
from tests.fire import aftermath
from tests.fire import faults
from tests.fire import user
from tests.rigs.services import shared
from tests.storm import picture

SECONDS = int(os.environ.get('HEAT_EXTRAS_FIRE_SECONDS') or 120)
SEED = int(os.environ.get('HEAT_EXTRAS_FIRE_SEED') or 19)
_USERS = 4


class Fire(base.CloudTestCase):
    def _burn(self, locks):
        """Let people work while all fails; returns what became of them."""
        database = picture.Database(self.cloud.database_url)
        self.addCleanup(database.close)
        users = [user.User(self.cloud.client(), database, f'user{number}',
                           random.Random(SEED + number), locks)
                 for number in range(_USERS)]
        fire = faults.Faults(self.cloud, shared.server(self.kind), SEED)
        with futures.ThreadPoolExecutor(_USERS) as pool:
            working = [pool.submit(each.run, SECONDS) for each in users]
            fire.run(SECONDS)
            for each in working:
                each.result()
        faults.mended(self.client)
        after = [aftermath.Aftermath(each, database, locks)
                 for each in users]
        with futures.ThreadPoolExecutor(_USERS) as pool:
            after = list(pool.map(aftermath.Aftermath.inspect, after))
        self._tell(fire, users, after)
        return users, after

    def _tell(self, fire, users, after):
        figures = sum((each.figures for each in users),
                      collections.Counter())
        found = {
            'faults': collections.Counter(fire.done),
            'stacks': sum(len(each.paths) for each in users),
            'figures': figures,
            'lost': sum(len(each.violations) for each in users),
            'stuck, of Heat': [text for each in after
                               for text in each.of_heat],
            'stuck, of ours': [text for each in after
                               for text in each.of_ours]}
        text = '\n'.join(f'{name}: {value}' for name, value in found.items())
        self.addDetail('figures', content.text_content(text))
        if os.environ.get('HEAT_EXTRAS_TEST_TABLES'):
            print('\n' + text)


class FireTest(Fire):
    kind = base.MARIADB

    def test_no_lock_is_lost_and_nothing_is_stuck(self):
        users, after = self._burn(locks=True)
        self.assertEqual([], [text for each in users
                              for text in each.violations])
        self.assertEqual([], [text for each in after
                              for text in each.of_ours])
        self.assertGreater(sum(each.figures['calms'] for each in users), 0)


class BareTest(Fire):
    """The same without us: what Heat itself loses."""

    kind = base.MARIADB
    features = ''

    def test_all_that_is_left_can_be_deleted_or_is_lost_by_heat(self):
        _users, after = self._burn(locks=False)
        self.assertEqual([], [text for each in after
                              for text in each.of_ours])
