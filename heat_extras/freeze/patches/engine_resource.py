# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.resource`: signals in a freeze."""

from heat_extras.freeze import signals
from heat_extras import monkey_patch


@monkey_patch.extends('heat.engine.resource:Resource')
class FreezeResourceMixin:
    """Extends heat.engine.resource:Resource."""

    @monkey_patch.wrap(
        '(self)', why='this is the only check of a signal that runs while '
                      'the caller waits and is known')
    def _signal_check_action(self, original):
        if not signals.record_window(self):
            return original()

    @monkey_patch.wrap('(self, details=None, need_check=True)',
                       why='every signal calls handle_signal through this '
                           'method')
    def signal(self, original, details=None, need_check=True):
        return signals.signal(self, original, details, need_check)
