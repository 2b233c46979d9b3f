# SPDX-License-Identifier: Apache-2.0

"""The matrix of consumers, overlay settings, situations and operations."""

import concurrent.futures
import contextlib
import itertools

from tests.consumers import cases
from tests.consumers import consumers
from tests.consumers import environments

# The default comes first.
OVERLAYS = ('off', 'full')


def run(who, overlays, situations, workers, show=lambda result: None,
        is_real=False):
    """Run cases, several at a time.

    :param is_real: whether with Keystone and Heat as processes what else
        is run on a sandbox
    :param show: called with each result
    :returns: a list of :class:`cases.Result`, and how many cases could not
        be run.
    """
    with contextlib.ExitStack() as stack:
        kinds = {consumer: _kind(consumer, is_real) for consumer in who}
        places = {(kind, overlay): stack.enter_context(kind(overlay))
                  for kind in set(kinds.values()) for overlay in overlays}
        pool = stack.enter_context(
            concurrent.futures.ThreadPoolExecutor(workers))
        numbers = itertools.count(1)
        to_run = [
            (show, places[kinds[consumer], overlay], consumer, situation,
             operation, f'case-{next(numbers)}')
            for consumer in who for situation in situations
            for operation in situation.operations for overlay in overlays]
        pending = [pool.submit(_run_case, *case) for case in to_run
                   if not _is_alone(*case)]
        value = [each.result() for each in pending] + [
            _run_case(*case) for case in to_run if _is_alone(*case)]
        return list(filter(None, value)), value.count(None)


def wrong(results):
    """List the results that are failures.

    A guard must work with any overlay. With the default overlay, each consumer
    must report the actual result, except for its known bugs.
    """
    return [each for each in results if each.verdict == cases.BROKEN or (
        each.overlay == OVERLAYS[0] and each.verdict not in (
            cases.RIGHT,
            consumers.BY_NAME[each.consumer].bugs.get(each.operation)))]


def _kind(consumer, is_real):
    is_sandbox = consumer.environment is environments.SandboxEnvironment
    return (environments.ProjectPerCaseEnvironment if is_real and is_sandbox
            else consumer.environment)


def _is_alone(show, environment, consumer, situation, *more):
    return situation.is_alone and environment.is_shared


def _run_case(show, environment, consumer, situation, operation, project):
    try:
        result = cases.run(environment, consumer, situation, operation,
                           project)
    except Exception as error:
        # Continue if a case cannot be run.
        print(f'{consumer.name}, {environment.overlay}, {situation.name}, '
              f'{operation} was not run: {error!r}', flush=True)
        return None
    show(result)
    return result
