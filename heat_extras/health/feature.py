# SPDX-License-Identifier: Apache-2.0

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
            from heat_extras import extensions
            from heat_extras.health import replacement
            extensions.load(replacement.NAMESPACE)

    @staticmethod
    def stop(process):
        """Stop what start() started: nothing runs."""


def _engine():
    from heat_extras.health import errors
    from heat_extras.health.patches import common_grouputils
    from heat_extras.health.patches import engine_autoscaling_group
    from heat_extras.health.patches import engine_instance_group
    from heat_extras.health.patches import engine_resource
    from heat_extras.health.patches import engine_service
    return [
        *errors.records(),
        *patching.records('heat.common.grouputils', common_grouputils),
        *patching.records('heat.engine.resource:Resource',
                          engine_resource.HealthResourceMixin),
        *patching.records(
            'heat.engine.resources.openstack.heat.instance_group:'
            'InstanceGroup', engine_instance_group.HealthInstanceGroupMixin),
        *patching.records(
            'heat.engine.resources.aws.autoscaling.autoscaling_group:'
            'AutoScalingGroup', engine_autoscaling_group.HealthScalingGroupMixin),
        *patching.records('heat.engine.service:EngineService',
                          engine_service.HealthServiceMixin),
    ]


def _api():
    from heat_extras.health import errors
    from heat_extras.health.patches import api_fault
    from heat_extras.health.patches import api_resources
    return [
        *errors.records(),
        *patching.records('heat.api.middleware.fault:FaultWrapper',
                          api_fault.HealthFaultMixin),
        *patching.records(
            'heat.api.openstack.v1.resources:ResourceController',
            api_resources.HealthResourcesMixin),
    ]
