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

"""Extends :mod:`heat.api.openstack.v1.views.stacks_view`."""

from heat_extras import patching
from heat_extras.stack_lock import lock as locks

_UNLOCKED = dict.fromkeys(locks.PUBLIC_FIELDS)


@patching.value(why='a list of stacks shows the keys that are listed here')
def basic_keys(original):
    return (*original, *locks.PUBLIC_FIELDS, locks.PRIOR_STACK_STATUS)


@patching.wrap('(req, stack, keys=None, include_project=False)',
               why='the body of a stack is made in a plain function')
def format_stack(original, req, stack, keys=None, include_project=False):
    body = original(req, stack, keys=keys, include_project=include_project)
    if locks.LEVEL in body and body[locks.LEVEL] is None:
        # The engine tells no more of a stack that nobody locks.
        body.update(_UNLOCKED)
    return body
