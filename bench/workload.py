# SPDX-License-Identifier: Apache-2.0

"""The workload: a full measurement, or a short check."""

import dataclasses

from bench import databases
from bench import server


@dataclasses.dataclass(frozen=True)
class Workload:
    """Sizes and repetitions.

    :param databases: the kinds to measure on.
    :param sizes: numbers of nested stacks, ascending.
    :param suspended: for each way to sleep, the sizes of the trees that are
        suspended, and how often.
    :param timeout: seconds after which suspend or resume is given up.
    :param locks: how often each tree is locked and unlocked, in each round.
    :param rejected_updates: pairs of a refused and a no-change update.
    :param operation_seeds: how often the stack operations get new processes.
    :param operation_rounds: rounds of stack operations in each of them.
    :param instruction_seeds: as *operation_seeds*, for the processes under
        valgrind.
    :param instruction_rounds: as *operation_rounds*, in each of those.
    :param planned: sizes of stacks with policies, ascending.
    :param plans: updates of each that are planned.
    :param starts: starts of an engine, with and without.
    :param listed: how many locked stacks are listed.
    :param listed_among: how many stacks there are in all, ascending.
    :param pages: how many locks are on a page.
    :param lists: how often each list is read.
    :param plugin_resources: of the stack that a lifecycle plugin is shown.
    :param plugin_calls: of that plugin, in each way.
    """

    name: str
    databases: tuple
    sizes: tuple
    suspended: dict
    timeout: int
    locks: int
    rejected_updates: int
    operation_seeds: int
    operation_rounds: int
    instruction_seeds: int
    instruction_rounds: int
    planned: tuple
    plans: int
    starts: int
    listed: int
    listed_among: tuple
    pages: tuple
    lists: int
    plugin_resources: int = 1000
    plugin_calls: int = 20


QUICK = Workload(
    name='quick',
    databases=(databases.SQLITE, databases.MARIADB),
    sizes=(1, 10),
    suspended={server.AS_INSTALLED: {1: 1, 10: 1},
               server.NO_LEAF_SLEEPS: {1: 1, 10: 1}},
    timeout=60, locks=2, rejected_updates=2,
    operation_seeds=2, operation_rounds=2,
    instruction_seeds=1, instruction_rounds=1,
    planned=(10, 20), plans=2, starts=1,
    listed=20, listed_among=(100, 1000), pages=(5, 20), lists=2)

FULL = Workload(
    name='full',
    databases=(databases.SQLITE, databases.MARIADB),
    sizes=(1, 10, 100, 1000),
    suspended={server.AS_INSTALLED: {1: 3, 10: 3, 100: 1},
               server.NO_LEAF_SLEEPS: {1: 3, 10: 3, 100: 1, 1000: 1},
               server.NO_SLEEPS: {1: 3, 10: 3, 100: 1}},
    # Heat as installed takes 100 s for each way of 100 nested stacks.
    timeout=180, locks=7, rejected_updates=15,
    operation_seeds=5, operation_rounds=6,
    instruction_seeds=3, instruction_rounds=2,
    planned=(100, 1000), plans=7, starts=7,
    listed=1000, listed_among=(2000, 10000, 100000), pages=(10, 100, 1000),
    lists=5)
