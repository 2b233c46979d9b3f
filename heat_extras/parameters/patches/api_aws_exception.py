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


"""Extends :mod:`heat.api.aws.exception`: a refusal in the cfn API."""

from heat.api.aws import exception as aws_exception
from oslo_utils import reflection

from heat_extras import patching

_REFUSALS = ('ImmutableParameterModified', 'ImmutableParameterModified_Remote')


@patching.wrap('(ex)', why='Heat answers its own ImmutableParameterModified '
                           'with 500 InternalFailure there')
def map_remote_error(original, ex):
    name = reflection.get_class_name(ex, fully_qualified=False)
    if name not in _REFUSALS:
        return original(ex)
    # Not returned, as Heat does: the answer would be 200.
    raise aws_exception.HeatInvalidParameterValueError(detail=ex.message)
