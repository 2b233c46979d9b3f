# SPDX-License-Identifier: Apache-2.0

"""All cells: consumer, setting of the overlay, situation, operation."""

import concurrent.futures
import contextlib
import itertools

from tests.consumers import cells
from tests.consumers import consumers
from tests.consumers import environments

# The default first.
OVERLAYS = ('off', 'locked', 'full')


def run(who, overlays, situations, workers, show=lambda result: None,
        is_real=False):
    """Play cells, some at a time.

    :param is_real: whether with Keystone and Heat as processes what else
        is played on a sandbox
    :param show: called with each result
    :returns: a list of :class:`cells.Result`, and how many cells could not
        be played.
    """
    with contextlib.ExitStack() as stack:
        kinds = {consumer: _kind(consumer, is_real) for consumer in who}
        places = {(kind, overlay): stack.enter_context(kind(overlay))
                  for kind in set(kinds.values()) for overlay in overlays}
        pool = stack.enter_context(
            concurrent.futures.ThreadPoolExecutor(workers))
        numbers = itertools.count(1)
        cells_to_play = [
            (show, places[kinds[consumer], overlay], consumer, situation,
             operation, f'cell-{next(numbers)}')
            for consumer in who for situation in situations
            for operation in situation.operations for overlay in overlays]
        pending = [pool.submit(_play, *cell) for cell in cells_to_play
                   if not _is_alone(*cell)]
        found = [each.result() for each in pending] + [
            _play(*cell) for cell in cells_to_play if _is_alone(*cell)]
        return list(filter(None, found)), found.count(None)


def wrong(results):
    """List the results that ought not to be.

    What a guard promises it does whatever the overlay. With the default one
    each consumer tells what happened, but for its own bugs.
    """
    return [each for each in results if each.verdict == cells.BROKEN or (
        each.overlay == OVERLAYS[0] and each.verdict not in (
            cells.RIGHT,
            consumers.BY_NAME[each.consumer].bugs.get(each.operation)))]


def _kind(consumer, is_real):
    is_sandbox = consumer.environment is environments.SandboxEnvironment
    return (environments.CellsEnvironment if is_real and is_sandbox
            else consumer.environment)


def _is_alone(show, environment, consumer, situation, *more):
    return situation.is_alone and environment.is_shared


def _play(show, environment, consumer, situation, operation, project):
    try:
        result = cells.run(environment, consumer, situation, operation,
                           project)
    except Exception as error:
        # One that can't be played stops none of the others.
        print(f'{consumer.name}, {environment.overlay}, {situation.name}, '
              f'{operation} was not played: {error!r}', flush=True)
        return None
    show(result)
    return result
