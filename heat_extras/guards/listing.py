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

"""Ask every kind of guards."""

from heat_extras import extensions
from heat_extras.host import trees


def bodies(context, stack, nested=True, blocking=None):
    """List the guards of a stack as the API answers them.

    :param stack: the row that Heat loaded.
    :param nested: whether to list those of nested stacks, too.
    :param blocking: only those that stop this action.
    """
    found = trees.load(context, stack, nested)
    guards = [each for list_guards in extensions.load()
              for each in list_guards(context, found)
              if blocking is None or blocking in each.stops]
    order = {stack_id: index for index, stack_id in enumerate(found.ids)}
    guards.sort(key=lambda each: (order[each.stack_id], each.kind,
                                  each.name or ''))
    return [each.body(found.name_of(each.stack_id)) for each in guards]
