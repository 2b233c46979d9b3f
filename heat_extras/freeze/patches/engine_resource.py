# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.resource`: signals in a freeze."""

from heat_extras.freeze import signals
from heat_extras import monkey_patch


@monkey_patch.extends('heat.engine.resource:Resource')
class FreezeResourceMixin:
    """Extends heat.engine.resource:Resource."""

    @monkey_patch.wrap(
        '(self)', why='the one check of a signal that runs while '
                      'its caller still waits, and is known')
    def _signal_check_action(self, original):
        if not signals.note(self):
            return original()

    @monkey_patch.wrap('(self, details=None, need_check=True)',
                       why='the one way of every signal to handle_signal')
    def signal(self, original, details=None, need_check=True):
        return signals.signal(self, original, details, need_check)
