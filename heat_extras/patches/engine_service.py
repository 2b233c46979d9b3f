# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.service`: the heartbeat of heat-extras."""

from heat_extras.heat_internals import heartbeat
from heat_extras import monkey_patch


@monkey_patch.extends('heat.engine.service:EngineService')
class EngineServiceMixin:
    """Extends heat.engine.service:EngineService."""

    @monkey_patch.wrap('(self)', why='the only method that every engine '
                                     'calls periodically')
    def service_manage_report(self, original):
        heartbeat.record_engine(self)
        return original()
