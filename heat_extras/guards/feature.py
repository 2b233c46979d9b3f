# SPDX-License-Identifier: Apache-2.0

"""The feature ``guards``: one answer to "what stops me here?"."""

from heat_extras import patching


class Feature:
    """What :mod:`heat_extras.activation` turns on; see there."""

    @staticmethod
    def records(process):
        """List the patches for ``engine`` or ``api``."""
        return {'engine': _engine, 'api': _api}[process]()

    @staticmethod
    def start(process):
        """Load the kinds, so that one that does not stops the engine."""
        if process == 'engine':
            from heat_extras import extensions
            extensions.load()

    @staticmethod
    def stop(process):
        """Stop what start() started: nothing runs."""


def _common():
    # The engine makes an enforcer of policies, too; in one process with the
    # API it is the first.
    from heat_extras.guards import errors
    from heat_extras.guards.patches import policies_stacks
    return [*errors.records(),
            *patching.records('heat.policies.stacks', policies_stacks)]


def _engine():
    from heat_extras.guards.patches import engine_service
    return [*_common(),
            *patching.records('heat.engine.service:EngineService',
                              engine_service.GuardsServiceMixin)]


def _api():
    from heat_extras.guards.patches import api_fault
    from heat_extras.guards.patches import api_v1
    return [*_common(),
            *patching.records('heat.api.middleware.fault:FaultWrapper',
                              api_fault.GuardsFaultMixin),
            *patching.records('heat.api.openstack.v1:API',
                              api_v1.GuardsAPIMixin)]
