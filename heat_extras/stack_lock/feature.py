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
    from heat_extras.stack_lock import exception
    from heat_extras.stack_lock import policies
    return exception.records() + patching.records(
        'heat.policies.actions', policies)


def _engine():
    from heat_extras.stack_lock import api
    from heat_extras.stack_lock import check_resource
    from heat_extras.stack_lock import db_api
    from heat_extras.stack_lock import filters
    from heat_extras.stack_lock.protection import handlers
    from heat_extras.stack_lock import resource
    from heat_extras.stack_lock import service
    from heat_extras.stack_lock import stack
    return [
        *_common(),
        *patching.records('heat.db.api', db_api),
        *patching.records('heat.db.filters', filters),
        *patching.records('heat.engine.api', api),
        *patching.records('heat.engine.check_resource', check_resource),
        *patching.records('heat.engine.service:EngineService',
                          service.StackLockServiceMixin),
        *patching.records('heat.engine.service:ThreadGroupManager',
                          service.StackLockThreadGroupManagerMixin),
        *patching.records('heat.engine.stack:Stack',
                          stack.StackLockStackMixin),
        *patching.records('heat.objects.stack:Stack',
                          stack.StackLockStackObjectMixin),
        *patching.records('heat.engine.resource:Resource',
                          resource.StackLockResourceMixin),
        *handlers.records(),
    ]


def _api():
    from heat_extras.stack_lock import actions
    from heat_extras.stack_lock import aws_exception
    from heat_extras.stack_lock import fault
    from heat_extras.stack_lock import stacks
    from heat_extras.stack_lock import stacks_view
    return [
        *_common(),
        *patching.records(
            'heat.api.openstack.v1.actions:ActionController',
            actions.StackLockActionsMixin),
        *patching.records('heat.api.openstack.v1.stacks:StackController',
                          stacks.StackLockStackControllerMixin),
        *patching.records('heat.api.openstack.v1.views.stacks_view',
                          stacks_view),
        *patching.records('heat.api.aws.exception', aws_exception),
        *patching.records('heat.api.middleware.fault:FaultWrapper',
                          fault.StackLockFaultMixin),
    ]
