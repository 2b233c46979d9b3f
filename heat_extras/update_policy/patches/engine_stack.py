# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.stack`: updates are planned before they start.

The summary of :mod:`heat_extras.update_policy.summary` travels with the
stack.
"""

from heat_extras.db import mapping
from heat_extras.host import signatures
from heat_extras import patching
from heat_extras.update_policy import preflight
from heat_extras.update_policy import summary


_PLANNED = ('UPDATE', 'RESTORE')


@patching.extends('heat.engine.stack:Stack')
class UpdatePolicyStackMixin:
    """Extends heat.engine.stack:Stack."""

    @patching.wrap(
        '(cls, context, stack, use_stored_context=False, cache_data=None, '
        'load_template=True, refresh_cred=False)',
        why='a Stack keeps only the columns that its constructor takes')
    def _from_db(cls, original, context, stack, *args, **kwargs):
        loaded = original(context, stack, *args, **kwargs)
        setattr(loaded, summary.ATTRIBUTE,
                mapping.columns(stack).has_update_policy)
        return loaded

    @patching.wrap('(self, keep_status=False, only_db=False, '
                   'keep_tags=False)',
                   why='store() writes these values to the row of the stack')
    def get_kwargs_for_cloning(self, original, keep_status=False,
                               only_db=False, keep_tags=False):
        values = original(keep_status, only_db, keep_tags)
        if only_db:
            has_policy = summary.mentions(self.t) or (
                self.id is None and summary.is_around())
            # Another engine may have found one meanwhile: never write False
            # over its True.
            if has_policy or self.id is None:
                values[summary.COLUMN] = has_policy
        return values

    @patching.wrap(signatures.STORE, signatures.STORE_24,
                   why='a policy that is new is made known to the stacks '
                       'around it')
    def store(self, original, *args, **kwargs):
        was_new, knew = self.id is None, summary.of(self)
        stored = original(*args, **kwargs)
        if stored is None:
            return stored
        if was_new:
            setattr(self, summary.ATTRIBUTE,
                    summary.mentions(self.t) or summary.is_around())
        if (summary.mentions(self.t) and knew is not True
                and not (was_new and self.owner_id is None)):
            summary.mark(self.context, self.id)
            setattr(self, summary.ATTRIBUTE, True)
        return stored

    @patching.wrap(signatures.CONVERGE_STACK,
                   signatures.CONVERGE_STACK_24,
                   why='the last moment before the new template is the '
                       'current one')
    def converge_stack(self, original, template, action='UPDATE',
                       new_stack=None, **kwargs):
        if action in _PLANNED and new_stack is not None:
            preflight.note_mentions(self, new_stack)
            reason = preflight.refusal(self, new_stack)
            if reason is not None:
                preflight.refuse(self, action, template, reason)
                return None
        return original(template, action=action, new_stack=new_stack,
                        **kwargs)

    @patching.wrap("(self, newstack, action='UPDATE', msg_queue=None, "
                   "notify=None)",
                   why='the same for the legacy engine: the stack is locked, '
                       'and its caller still waits')
    def update_task(self, original, newstack, action='UPDATE',
                    msg_queue=None, notify=None):
        if action in _PLANNED and self.status != self.IN_PROGRESS:
            preflight.note_mentions(self, newstack)
            reason = preflight.refusal(self, newstack)
            if reason is not None:
                try:
                    preflight.refuse(self, action, newstack.t, reason)
                finally:
                    if notify is not None:
                        notify.signal()
                return
        yield from original(newstack, action=action, msg_queue=msg_queue,
                            notify=notify)
