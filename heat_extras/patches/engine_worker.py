# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.worker`: operations that are cancelled."""

import functools

from heat_extras.lifecycle import convergence
from heat_extras.lifecycle import pre_post
from heat_extras import monkey_patch

EXTENDS = 'heat.engine.worker'
FEATURE = 'lifecycle'


@monkey_patch.wrap(
    '(stack)', why='it sets another traversal before it marks the stack as '
                   'FAILED')
def _stop_traversal(original, stack):
    if not pre_post.has_plugins():
        return original(stack)
    return convergence.stop_traversal(stack, functools.partial(
        original, stack))


@monkey_patch.extends('heat.engine.worker:WorkerService',
                      feature='lifecycle')
class WorkerServiceMixin:

    @monkey_patch.wrap(
        '(self)', why='the engine has its ID here, before it serves requests')
    def start(self, original):
        pre_post.set_engine_id(self.engine_id)
        return original()
