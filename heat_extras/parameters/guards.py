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

"""The guards that templates set: parameters that stay."""

from oslo_config import cfg

from heat_extras import guard

_HOW = {
    'same_update': 'update the stack with a template that lifts it; the '
                   'value may change with the same update',
    'two_step': 'update the stack with a template that lifts it and the '
                'same value first',
}


def list_guards(context, found):
    """List the parameters that are not updatable; no query of its own."""
    how = _HOW[cfg.CONF.heat_extras.parameter_lift]
    return [
        guard.Guard(
            kind='parameter', stack_id=row.id, name=name,
            stops=('update', 'restore'),
            reason='the template says that it is not updatable: no update '
                   'may change its value',
            lifted_by='stacks:update', how_to_lift=how)
        for row in found.stacks
        for name, is_updatable in (row.updatable or {}).items()
        if not is_updatable]
