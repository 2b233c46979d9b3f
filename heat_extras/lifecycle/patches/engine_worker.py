# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.worker`: operations that are cancelled."""

import functools

from heat_extras.lifecycle import calls
from heat_extras.lifecycle import traversal
from heat_extras import patching

EXTENDS = 'heat.engine.worker'


@patching.wrap('(stack)', why='it gives the stack another traversal before '
                              'it marks it as FAILED')
def _stop_traversal(original, stack):
    if not calls.are_wanted():
        return original(stack)
    return traversal.stop(stack, functools.partial(original, stack))


@patching.extends('heat.engine.worker:WorkerService')
class LifecycleWorkerServiceMixin:
    """Extends heat.engine.worker:WorkerService."""

    @patching.wrap('(self)', why='the first moment when the engine has its '
                                 'id, before it serves')
    def start(self, original):
        calls.start_engine(self.engine_id)
        return original()
