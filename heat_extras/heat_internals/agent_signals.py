# SPDX-License-Identifier: Apache-2.0

"""Signals of agents in servers, which are allowed in spite of all guards.

The agents report to wait conditions and software deployments. These signals
do not change the topology of a stack, and agents fail without them.
"""

from heat.engine.resources.openstack.heat import software_deployment
from heat.engine.resources import wait_condition

_SIGNALED_BY_AGENTS = (wait_condition.BaseWaitConditionHandle,
                       software_deployment.SoftwareDeployment)


def is_signaled_by_agents(resource):
    """Return whether agents send signals to a resource."""
    return isinstance(resource, _SIGNALED_BY_AGENTS)


def clears_hook(details):
    """Return whether a signal clears a hook."""
    return bool(details) and 'unset_hook' in details
