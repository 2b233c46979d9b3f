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

"""Extends :mod:`heat.engine.stack`: the lock travels with the stack."""

from heat.objects import raw_template
from heat.objects import snapshot

from heat_extras import patching
from heat_extras.stack_lock import lock as locks
from heat_extras.stack_lock import operation
from heat_extras.stack_lock import refusal


def lock_of(stack):
    """Return the lock that a heat.engine.stack.Stack was loaded with."""
    return getattr(stack, 'heat_extras_lock', locks.UNLOCKED)


class StackLockStackMixin:
    """Extends heat.engine.stack:Stack."""

    @patching.wrap(
        '(cls, context, stack, use_stored_context=False, cache_data=None, '
        'load_template=True, refresh_cred=False)',
        why='a Stack keeps only the columns that its constructor takes')
    def _from_db(cls, original, context, stack, *args, **kwargs):
        loaded = original(context, stack, *args, **kwargs)
        loaded.heat_extras_lock = locks.Lock.from_row(stack)
        return loaded

    @patching.wrap(
        '(self, backup=False, exp_trvsl=None, ignore_traversal_check=False, '
        'use_stored_context=False)',
        '(self, backup=False, exp_trvsl=None, '
        'ignore_traversal_check=False)',
        why='converge_stack does not tell its caller that the '
            'compare-and-swap of store() missed')
    def store(self, original, *args, **kwargs):
        stored = original(*args, **kwargs)
        self.heat_extras_missed = stored is None
        return stored

    @patching.wrap(
        "(self, template, action='UPDATE', new_stack=None, "
        "pre_converge=None, new_traversal_id=None, abandon=False)",
        "(self, template, action='UPDATE', new_stack=None, "
        "pre_converge=None)",
        why='Heat answers success to an operation that lost its '
            'compare-and-swap')
    def converge_stack(self, original, template, *args, **kwargs):
        current = operation.current()
        if current is None:
            # A worker or a rollback: nobody is there to read a refusal.
            return original(template, *args, **kwargs)
        if getattr(self, 'refresh_cred', False):
            # store() replaces the trust before its compare-and-swap.
            refusal.check_again(self.context, self.name, self.id, current)
        was_stored = template.id is not None
        self.heat_extras_missed = False
        result = original(template, *args, **kwargs)
        if self.heat_extras_missed:
            # Outside of reset_state_on_error, which would leave a FAILED
            # mark and an event behind.
            self._heat_extras_forget(was_stored, kwargs)
            refusal.check_again(self.context, self.name, self.id, current)
        return result

    @patching.add(why='helper of the wrapper of converge_stack')
    def _heat_extras_forget(self, template_was_stored, kwargs):
        """Remove what a lost operation stored before its compare-and-swap."""
        if kwargs.get('new_traversal_id') is not None:
            snapshot.Snapshot.delete(self.context,
                                     kwargs['new_traversal_id'])
        if not template_was_stored and self.t.id is not None:
            raw_template.RawTemplate.delete(self.context, self.t.id)
