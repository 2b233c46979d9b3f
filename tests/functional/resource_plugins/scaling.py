# SPDX-License-Identifier: Apache-2.0

"""Members and configurations of AWS groups that need no cloud.

Heat loads this file as a plugin, see ``[DEFAULT] plugin_dirs``.
"""

from heat.engine import properties
from heat.engine import resource
from heat.engine.resources.aws.autoscaling import launch_config


def _string():
    return properties.Schema(properties.Schema.STRING, update_allowed=True)


class Configuration(launch_config.LaunchConfiguration):
    """A launch configuration without image and flavor."""

    # Keys of Heat, which the groups look for.
    properties_schema = {
        'KeyName': _string(),
        'InstanceType': properties.Schema(properties.Schema.STRING),
        'BlockDeviceMappings': properties.Schema(properties.Schema.LIST),
        'NovaSchedulerHints': properties.Schema(properties.Schema.LIST),
    }

    def validate(self):
        """Do without image and flavor."""
        return resource.Resource.validate(self)


class Member(resource.Resource):
    """A member that is updated in place.

    Replaces the type that Heat maps OS::Heat::ScaledResource to.
    """

    properties_schema = {
        'KeyName': _string(),
        'InstanceType': properties.Schema(properties.Schema.STRING),
        'Tags': properties.Schema(properties.Schema.LIST,
                                  update_allowed=True),
    }

    def handle_create(self):
        self.resource_id_set(self.physical_resource_name())

    def handle_update(self, json_snippet, tmpl_diff, prop_diff):
        """Change nothing: there is nothing but the properties."""


def resource_mapping():
    return {'Test::Configuration': Configuration, 'Test::Member': Member,
            'AWS::EC2::Instance': Member}
