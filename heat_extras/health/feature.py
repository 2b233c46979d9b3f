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

"""The feature ``health``: which of its patches belong to which process."""

from heat_extras import patching


class Feature:
    """What :mod:`heat_extras.activation` turns on; see there."""

    @staticmethod
    def records(process):
        """List the patches for ``engine`` or ``api``."""
        return {'engine': _engine, 'api': _api}[process]()

    @staticmethod
    def start(process):
        """Load what other features add, so that a failure is found now."""
        if process == 'engine':
            from heat_extras.guards import kinds
            from heat_extras.health import replacement
            kinds.load(replacement.NAMESPACE)

    @staticmethod
    def stop(process):
        """Stop what start() started: nothing runs."""


def _engine():
    from heat_extras.health import autoscaling_group
    from heat_extras.health import exception
    from heat_extras.health import grouputils
    from heat_extras.health import instance_group
    from heat_extras.health import resource
    from heat_extras.health import service
    return [
        *exception.records(),
        *patching.records('heat.common.grouputils', grouputils),
        *patching.records('heat.engine.resource:Resource',
                          resource.HealthResourceMixin),
        *patching.records(
            'heat.engine.resources.openstack.heat.instance_group:'
            'InstanceGroup', instance_group.HealthInstanceGroupMixin),
        *patching.records(
            'heat.engine.resources.aws.autoscaling.autoscaling_group:'
            'AutoScalingGroup', autoscaling_group.HealthScalingGroupMixin),
        *patching.records('heat.engine.service:EngineService',
                          service.HealthServiceMixin),
    ]


def _api():
    from heat_extras.health import exception
    from heat_extras.health import fault
    from heat_extras.health import resources
    return [
        *exception.records(),
        *patching.records('heat.api.middleware.fault:FaultWrapper',
                          fault.HealthFaultMixin),
        *patching.records(
            'heat.api.openstack.v1.resources:ResourceController',
            resources.HealthResourcesMixin),
    ]
