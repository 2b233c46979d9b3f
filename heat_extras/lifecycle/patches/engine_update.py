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

"""Extends :mod:`heat.engine.update`: the end of a legacy update."""

from heat.common import exception

from heat_extras.db import charset
from heat_extras.lifecycle import in_thread
from heat_extras import patching


class LifecycleStackUpdateMixin:
    """Extends heat.engine.update:StackUpdate."""

    @patching.wrap('(self)',
                   why='Stack.update_task calls plugins after it has stored '
                       'the outcome, and not when it rolls back')
    def __call__(self, original):
        stack = self.existing_stack
        try:
            yield from original()
        except BaseException:
            in_thread.finish(stack, True)
            raise
        failures = in_thread.finish(stack, False, {'t': self.new_stack.t})
        if failures:
            reason = charset.storable('; '.join(failures))
            # A rollback hides the reason for it.
            stack._add_event(stack.UPDATE, stack.FAILED, reason)
            # What Stack._update_exception_handler rolls back after.
            raise exception.ResourceFailure(reason, None,
                                            action=stack.UPDATE)
