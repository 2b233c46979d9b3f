# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.service`: an engine says that it carries us."""

from heat_extras.heat_internals import heartbeat
from heat_extras import monkey_patch


@monkey_patch.extends('heat.engine.service:EngineService')
class EngineServiceMixin:
    """Extends heat.engine.service:EngineService."""

    @monkey_patch.wrap('(self)', why='the one thing that an engine does '
                                     'regularly, whatever it works on')
    def service_manage_report(self, original):
        heartbeat.report(self)
        return original()
