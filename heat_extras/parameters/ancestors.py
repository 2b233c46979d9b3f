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


"""On whose behalf Heat updates a nested stack: does a parent roll back?

The parent of a nested stack gives it back what it had by an update like any
other. The rows of its ancestors tell; they are asked only when the update
would be refused otherwise.
"""

from heat.engine import stack as heat_stack
from heat.objects import stack as stack_object


def action(stack):
    """Return ROLLBACK or RESTORE if an ancestor is at it, else UPDATE."""
    parent_id = stack.owner_id
    while parent_id is not None:
        parent = stack_object.Stack.get_by_id(stack.context, parent_id)
        if parent is None or parent.status != heat_stack.Stack.IN_PROGRESS:
            break
        if parent.action in (heat_stack.Stack.ROLLBACK,
                             heat_stack.Stack.RESTORE):
            return parent.action
        parent_id = parent.owner_id
    return heat_stack.Stack.UPDATE
