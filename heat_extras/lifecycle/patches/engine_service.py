# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.service`: what dead engines left behind."""

from heat_extras.lifecycle import recovery
from heat_extras import patching


@patching.extends('heat.engine.service:EngineService')
class LifecycleServiceMixin:
    """Extends heat.engine.service:EngineService."""

    @patching.wrap('(self)', why='the one thing that an engine does '
                                 'regularly, whatever it works on')
    def service_manage_report(self, original):
        result = original()
        recovery.recover(self)
        return result
