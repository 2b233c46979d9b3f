# SPDX-License-Identifier: Apache-2.0

"""Signals that change no topology, and pass whatever guards a stack.

Agents in servers report through wait conditions and software deployments;
refusing those breaks them.
"""

from heat.engine.resources.openstack.heat import software_deployment
from heat.engine.resources import wait_condition

_PASSING = (wait_condition.BaseWaitConditionHandle,
            software_deployment.SoftwareDeployment)


def is_of_agent(resource):
    """Return whether agents send signals to a resource."""
    return isinstance(resource, _PASSING)


def clears_hook(details):
    """Return whether a signal is one that lets a hook go."""
    return bool(details) and 'unset_hook' in details
