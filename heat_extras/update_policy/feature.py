# Licensed under the Apache License, Version 2.0 (the "License"); you may
# not use this file except in compliance with the License. You may obtain
# a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT
# WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the
# License for the specific language governing permissions and limitations
# under the License.


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
    from heat_extras.rollback import stack as rollback_stack
    from heat_extras.update_policy import exception
    from heat_extras.update_policy import messaging
    from heat_extras.update_policy import resource
    from heat_extras.update_policy import rsrc_defn
    from heat_extras.update_policy import service
    from heat_extras.update_policy import stack
    from heat_extras.update_policy import stack_resource
    from heat_extras.update_policy import template_common
    from heat_extras.update_policy import update
    return [
        *exception.records(),
        *patching.records('heat.common.messaging:RequestContextSerializer',
                          messaging.UpdatePolicySerializerMixin),
        *patching.records('heat.engine.template_common:CommonTemplate',
                          template_common.UpdatePolicyTemplateMixin),
        *patching.records('heat.engine.rsrc_defn:ResourceDefinition',
                          rsrc_defn.UpdatePolicyDefinitionMixin),
        *patching.records('heat.engine.resource:Resource',
                          resource.UpdatePolicyResourceMixin),
        *patching.records(
            'heat.engine.resources.stack_resource:StackResource',
            stack_resource.UpdatePolicyStackResourceMixin),
        *patching.records('heat.rpc.client:EngineClient',
                          stack_resource.UpdatePolicyEngineClientMixin),
        *patching.records('heat.engine.service:EngineService',
                          service.UpdatePolicyServiceMixin),
        *patching.records('heat.engine.stack:Stack',
                          rollback_stack.RollbackStackMixin),
        *patching.records('heat.engine.stack:Stack',
                          stack.UpdatePolicyStackMixin),
        *patching.records('heat.engine.update:StackUpdate',
                          update.UpdatePolicyStackUpdateMixin),
    ]


def _api():
    from heat_extras.update_policy import aws_exception
    from heat_extras.update_policy import exception
    from heat_extras.update_policy import fault
    return [
        *exception.records(),
        *patching.records('heat.api.middleware.fault:FaultWrapper',
                          fault.UpdatePolicyFaultMixin),
        *patching.records('heat.api.aws.exception', aws_exception),
    ]
