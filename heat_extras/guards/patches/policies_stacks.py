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

"""Extends :mod:`heat.policies.stacks`: who may ask for guards."""

from heat.policies import base
from oslo_policy import policy

from heat_extras import patching

_RULES = [
    policy.DocumentedRuleDefault(
        name='stacks:guards',
        check_str=base.PROJECT_READER,
        scope_types=['project'],
        description='List what protects a stack from which actions.',
        operations=[{
            'path': '/v1/{tenant_id}/stacks/{stack_name}/{stack_id}/guards',
            'method': 'GET'}]),
]


def list_rules():
    """List the rules for the oslo.policy tools."""
    return _RULES


@patching.value(why='the daemons read heat.policies alone; the entry point '
                    'oslo.policy.policies is for the oslopolicy tools')
def stacks_policies(original):
    return [*original, *_RULES]
