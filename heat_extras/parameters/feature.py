# SPDX-License-Identifier: Apache-2.0

"""The feature ``parameters``: which of its patches are in which process."""

from heat_extras import patching


class Feature:
    """What :mod:`heat_extras.activation` turns on; see there."""

    @staticmethod
    def records(process):
        """List the patches for ``engine`` or ``api``."""
        return {'engine': _engine, 'api': _api}[process]()

    @staticmethod
    def start(process):
        """Have noted which update a rollback takes back."""
        if process == 'engine':
            from heat_extras.parameters import before
            from heat_extras.rollback import beginnings
            beginnings.add(before)

    @staticmethod
    def stop(process):
        """Have it noted no longer."""
        if process == 'engine':
            from heat_extras.parameters import before
            from heat_extras.rollback import beginnings
            beginnings.remove(before)


def _engine():
    from heat_extras.parameters.patches import engine_api
    from heat_extras.parameters.patches import engine_hot_parameters
    from heat_extras.parameters.patches import engine_parameters
    from heat_extras.parameters.patches import engine_service
    from heat_extras.parameters.patches import engine_stack
    from heat_extras.rollback.patches import engine_stack as rollback_stack
    return [
        *patching.records('heat.engine.api', engine_api),
        *patching.records('heat.engine.hot.parameters:HOTParamSchema',
                          engine_hot_parameters.HOTParamSchemaMixin),
        *patching.records(
            'heat.engine.hot.parameters:HOTParamSchema20180302',
            engine_hot_parameters.HOTParamSchema20180302Mixin),
        *patching.records('heat.engine.parameters:Parameters',
                          engine_parameters.ParametersMixin),
        *patching.records('heat.engine.service:EngineService',
                          engine_service.ParametersServiceMixin),
        *patching.records('heat.engine.service:ThreadGroupManager',
                          engine_service.ParametersThreadGroupManagerMixin),
        *patching.records('heat.engine.stack:Stack',
                          rollback_stack.RollbackStackMixin),
        *patching.records('heat.engine.stack:Stack',
                          engine_stack.ParametersStackMixin),
    ]


def _api():
    from heat_extras.parameters.patches import api_aws_exception
    from heat_extras.parameters.patches import api_stacks_view
    return [
        *patching.records('heat.api.aws.exception', api_aws_exception),
        *patching.records('heat.api.openstack.v1.views.stacks_view',
                          api_stacks_view),
    ]
