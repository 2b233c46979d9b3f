# SPDX-License-Identifier: Apache-2.0

"""The feature ``stack_lock``: which of its patches belong to which process."""

from heat_extras import patching


class Feature:
    """What :mod:`heat_extras.activation` turns on; see there."""

    @staticmethod
    def records(process):
        """List the patches for ``engine`` or ``api``."""
        return {'engine': _engine, 'api': _api}[process]()

    @staticmethod
    def start(process):
        """Start what is not a patch."""
        if process == 'engine':
            from heat_extras.stack_lock import predicate
            predicate.start()

    @staticmethod
    def stop(process):
        """Stop what start() started."""
        if process == 'engine':
            from heat_extras.stack_lock import predicate
            predicate.stop()


def _common():
    from heat_extras.stack_lock import errors
    from heat_extras.stack_lock.patches import policies_actions
    return errors.records() + patching.records(
        'heat.policies.actions', policies_actions)


def _engine():
    from heat_extras.stack_lock.patches import db_api
    from heat_extras.stack_lock.patches import db_filters
    from heat_extras.stack_lock.patches import engine_api
    from heat_extras.stack_lock.patches import engine_check_resource
    from heat_extras.stack_lock.patches import engine_resource
    from heat_extras.stack_lock.patches import engine_service
    from heat_extras.stack_lock.patches import engine_stack
    from heat_extras.stack_lock.protection import handlers
    return [
        *_common(),
        *patching.records('heat.db.api', db_api),
        *patching.records('heat.db.filters', db_filters),
        *patching.records('heat.engine.api', engine_api),
        *patching.records('heat.engine.check_resource', engine_check_resource),
        *patching.records('heat.engine.service:EngineService',
                          engine_service.StackLockServiceMixin),
        *patching.records('heat.engine.service:ThreadGroupManager',
                          engine_service.StackLockThreadGroupManagerMixin),
        *patching.records('heat.engine.stack:Stack',
                          engine_stack.StackLockStackMixin),
        *patching.records('heat.objects.stack:Stack',
                          engine_stack.StackLockStackObjectMixin),
        *patching.records('heat.engine.resource:Resource',
                          engine_resource.StackLockResourceMixin),
        *handlers.records(),
    ]


def _api():
    from heat_extras.stack_lock.patches import api_actions
    from heat_extras.stack_lock.patches import api_aws_exception
    from heat_extras.stack_lock.patches import api_fault
    from heat_extras.stack_lock.patches import api_stacks
    from heat_extras.stack_lock.patches import api_stacks_view
    return [
        *_common(),
        *patching.records(
            'heat.api.openstack.v1.actions:ActionController',
            api_actions.StackLockActionsMixin),
        *patching.records('heat.api.openstack.v1.stacks:StackController',
                          api_stacks.StackLockStackControllerMixin),
        *patching.records('heat.api.openstack.v1.views.stacks_view',
                          api_stacks_view),
        *patching.records('heat.api.aws.exception', api_aws_exception),
        *patching.records('heat.api.middleware.fault:FaultWrapper',
                          api_fault.StackLockFaultMixin),
    ]
