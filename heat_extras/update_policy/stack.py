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


"""Extends :mod:`heat.engine.stack`: an ``allow`` is checked with the rest."""

from heat.common import exception

from heat_extras import patching
from heat_extras.update_policy import allow


class UpdatePolicyStackMixin:
    """Extends heat.engine.stack:Stack."""

    @patching.wrap(
        '(self, ignorable_errors=None, validate_res_tmpl_only=False)',
        why='Heat validates no external resources, and of definitions that '
            'are equal only one')
    def validate(self, original, *args, **kwargs):
        result = original(*args, **kwargs)
        for name in sorted(self.defn.enabled_rsrc_names()):
            _check(self, self.defn.resource_definition(name))
        return result


def _check(stack, definition):
    try:
        allow.check(definition, stack.parameters)
    except exception.StackValidationFailed as error:
        raise exception.StackValidationFailed(
            error=error.error,
            path=[stack.t.RESOURCES, definition.name,
                  stack.t.get_section_name(error.path[0]), *error.path[1:]],
            message=error.error_message) from None
