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


"""Extends :mod:`heat.engine.parameters`: the comparison is a right one."""

from heat_extras.parameters import check
from heat_extras import patching


class ParametersMixin:
    """Extends heat.engine.parameters:Parameters."""

    @patching.wrap('(self, new_parameters, input_params)',
                   why='it compares the old typed value with the new raw '
                       'one, and takes other spellings for changes')
    def immutable_params_modified(self, original, new_parameters,
                                  input_params):
        if check.postpone(self, new_parameters, input_params):
            return None
        return list(check.answers(
            self, new_parameters, given=input_params)) or None
