# SPDX-License-Identifier: Apache-2.0

"""How much is measured: for real, or only to see that it works."""

import dataclasses

from bench import databases
from bench import server


@dataclasses.dataclass(frozen=True)
class Plan:
    """Sizes and repetitions.

    :param databases: the kinds to measure on.
    :param sizes: numbers of nested stacks, ascending.
    :param suspended: for each way to sleep, the sizes of the trees that are
        suspended, and how often.
    :param patience: seconds after which suspend or resume is given up.
    :param locks: how often each tree is locked and unlocked, in each round.
    :param refusals: pairs of a refused and a no-change update.
    :param seeds: how often everyday operations get new processes.
    :param pairs: rounds of everyday operations in each of them.
    :param counted_seeds: as *seeds*, for the processes under valgrind.
    :param counted: as *pairs*, in each of those.
    :param planned: sizes of stacks with policies, ascending.
    :param plans: updates of each that are planned.
    :param starts: starts of an engine, with and without.
    :param listed: how many locked stacks are listed.
    :param listed_among: how many stacks there are in all, ascending.
    :param pages: how many locks are on a page.
    :param lists: how often each list is read.
    :param resources: of the stack that a lifecycle plugin is shown.
    :param calls: of that plugin, in each way.
    """

    name: str
    databases: tuple
    sizes: tuple
    suspended: dict
    patience: int
    locks: int
    refusals: int
    seeds: int
    pairs: int
    counted_seeds: int
    counted: int
    planned: tuple
    plans: int
    starts: int
    listed: int
    listed_among: tuple
    pages: tuple
    lists: int
    resources: int = 1000
    calls: int = 20


QUICK = Plan(
    name='quick',
    databases=(databases.SQLITE, databases.MARIADB),
    sizes=(1, 10),
    suspended={server.AS_INSTALLED: {1: 1, 10: 1},
               server.NO_LEAF_SLEEPS: {1: 1, 10: 1}},
    patience=60, locks=2, refusals=2, seeds=2, pairs=2,
    counted_seeds=1, counted=1,
    planned=(10, 20), plans=2, starts=1,
    listed=20, listed_among=(100, 1000), pages=(5, 20), lists=2)

FULL = Plan(
    name='full',
    databases=(databases.SQLITE, databases.MARIADB),
    sizes=(1, 10, 100, 1000),
    suspended={server.AS_INSTALLED: {1: 3, 10: 3, 100: 1},
               server.NO_LEAF_SLEEPS: {1: 3, 10: 3, 100: 1, 1000: 1},
               server.NO_SLEEPS: {1: 3, 10: 3, 100: 1}},
    # Heat as installed takes 100 s for each way of 100 nested stacks.
    patience=180, locks=7, refusals=15, seeds=5, pairs=6,
    counted_seeds=3, counted=2,
    planned=(100, 1000), plans=7, starts=7,
    listed=1000, listed_among=(2000, 10000, 100000), pages=(10, 100, 1000),
    lists=5)
