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


"""Extends :mod:`heat.api.openstack.v1.stacks`: the answer of /validate."""

from heat_extras import patching

_DEFAULTS = {'Updatable': True, 'Immutable': False}


class ParametersStackControllerMixin:
    """Extends heat.api.openstack.v1.stacks:StackController."""

    @patching.wrap('(self, req, body)',
                   why='the engine tells what is restricted; every other '
                       'parameter is shown as updatable')
    def validate_template(self, original, req, *args, **kwargs):
        # What the signature hides: the policy decorator takes the project.
        return _complete(original(req, *args, **kwargs))


def _complete(result):
    parameters = result.get('Parameters')
    if isinstance(parameters, dict):
        result['Parameters'] = {name: {**_DEFAULTS, **info}
                                for name, info in parameters.items()}
    for nested in (result.get('NestedParameters') or {}).values():
        _complete(nested)
    return result
