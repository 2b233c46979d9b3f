# SPDX-License-Identifier: Apache-2.0

"""The feature ``update_policy``: templates that guard their resources."""

from heat_extras import patching


class Feature:
    """What :mod:`heat_extras.activation` turns on; see there."""

    @staticmethod
    def records(process):
        """List the patches for ``engine`` or ``api``."""
        return {'engine': _engine, 'api': _api}[process]()

    @staticmethod
    def start(process):
        """Have what was before an update kept."""
        if process == 'engine':
            from heat_extras.rollback import beginnings
            from heat_extras.update_policy import undo
            beginnings.add(undo)

    @staticmethod
    def stop(process):
        """Have it kept no longer."""
        if process == 'engine':
            from heat_extras.rollback import beginnings
            from heat_extras.update_policy import undo
            beginnings.remove(undo)


def _engine():
    from heat_extras.rollback.patches import engine_stack as rollback_stack
    from heat_extras.update_policy import errors
    from heat_extras.update_policy.patches import common_messaging
    from heat_extras.update_policy.patches import engine_resource
    from heat_extras.update_policy.patches import engine_rsrc_defn
    from heat_extras.update_policy.patches import engine_service
    from heat_extras.update_policy.patches import engine_stack
    from heat_extras.update_policy.patches import engine_stack_resource
    from heat_extras.update_policy.patches import engine_template_common
    from heat_extras.update_policy.patches import engine_update
    return [
        *errors.records(),
        *patching.records('heat.common.messaging:RequestContextSerializer',
                          common_messaging.UpdatePolicySerializerMixin),
        *patching.records('heat.engine.template_common:CommonTemplate',
                          engine_template_common.UpdatePolicyTemplateMixin),
        *patching.records('heat.engine.rsrc_defn:ResourceDefinition',
                          engine_rsrc_defn.UpdatePolicyDefinitionMixin),
        *patching.records('heat.engine.resource:Resource',
                          engine_resource.UpdatePolicyResourceMixin),
        *patching.records(
            'heat.engine.resources.stack_resource:StackResource',
            engine_stack_resource.UpdatePolicyStackResourceMixin),
        *patching.records('heat.rpc.client:EngineClient',
                          engine_stack_resource.UpdatePolicyEngineClientMixin),
        *patching.records('heat.engine.service:EngineService',
                          engine_service.UpdatePolicyServiceMixin),
        *patching.records('heat.engine.stack:Stack',
                          rollback_stack.RollbackStackMixin),
        *patching.records('heat.engine.stack:Stack',
                          engine_stack.UpdatePolicyStackMixin),
        *patching.records('heat.engine.update:StackUpdate',
                          engine_update.UpdatePolicyStackUpdateMixin),
    ]


def _api():
    from heat_extras.update_policy import errors
    from heat_extras.update_policy.patches import api_aws_exception
    from heat_extras.update_policy.patches import api_fault
    return [
        *errors.records(),
        *patching.records('heat.api.middleware.fault:FaultWrapper',
                          api_fault.UpdatePolicyFaultMixin),
        *patching.records('heat.api.aws.exception', api_aws_exception),
    ]
