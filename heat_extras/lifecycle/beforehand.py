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

"""A deletion whose plugins are asked while its caller waits for an answer.

It is one that has to lift a lock first: what a plugin denies must leave the
lock as it is. The operation goes with the Stack object to whoever begins it.
"""

import functools

from heat_extras.lifecycle import calls


def ask(stack):
    """Make the pre calls of a deletion; see stack_lock.hooks.

    :param stack: a heat.engine.stack.Stack.
    :raises StackLockConflict: when a plugin denies it.
    """
    stack.heat_extras_beforehand = calls.permit(stack, stack.DELETE, False)
    return functools.partial(_end, stack)


def take(stack):
    """Return the operation that its plugins let pass, once; else None."""
    operation = getattr(stack, 'heat_extras_beforehand', None)
    stack.heat_extras_beforehand = None
    return operation


def _end(stack, is_failure):
    operation = take(stack) if is_failure else None
    if operation is not None:
        with calls.ending(stack, operation):
            calls.abort(stack, operation)
