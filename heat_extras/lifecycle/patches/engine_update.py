# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.update`: the end of a legacy update."""

from heat_extras.lifecycle import legacy_engine
from heat_extras import monkey_patch


@monkey_patch.extends('heat.engine.update:StackUpdate')
class LifecycleStackUpdateMixin:
    """Extends heat.engine.update:StackUpdate."""

    @monkey_patch.wrap(
        '(self)',
        why='Stack.update_task calls plugins after it has stored the final '
            'state, and not before a rollback')
    def __call__(self, original):
        yield from legacy_engine.run_update_task(self, original())
