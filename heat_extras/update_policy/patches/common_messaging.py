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

"""Extends :mod:`heat.common.messaging`: the calls of parents are marked."""

from heat_extras import patching
from heat_extras.update_policy import parent_call

_WHY = ('what an RPC method is called with is fixed, and a parent calls the '
        'same as a person')


class UpdatePolicySerializerMixin:
    """Extends heat.common.messaging:RequestContextSerializer."""

    @patching.wrap('(ctxt)', why=_WHY)
    def serialize_context(original, ctxt):
        message_context = original(ctxt)
        parent_call.mark(message_context)
        return message_context

    @patching.wrap('(ctxt)', why=_WHY)
    def deserialize_context(original, ctxt):
        is_marked = parent_call.take(ctxt)
        context = original(ctxt)
        if is_marked:
            parent_call.remember(context)
        return context
