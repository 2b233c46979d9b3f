# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.stack`: check updates before they start.

It also reads and writes the flag of
:mod:`heat_extras.update_policy.policy_flag` with the stack.
"""

from heat_extras.db import stack_columns
from heat_extras.heat_internals import signatures
from heat_extras import monkey_patch
from heat_extras.update_plan import reviewed_plan
from heat_extras.update_policy import policy_flag
from heat_extras.update_policy import rollback_check
from heat_extras.update_policy import update_check


@monkey_patch.extends('heat.engine.stack:Stack')
class UpdatePolicyStackMixin:
    """Extends heat.engine.stack:Stack."""

    @monkey_patch.wrap(
        signatures.FROM_DB,
        why='a Stack has only the columns that its constructor accepts')
    def _from_db(cls, original, context, stack, *args, **kwargs):
        loaded = original(context, stack, *args, **kwargs)
        setattr(loaded, policy_flag.ATTRIBUTE,
                stack_columns.get_columns(stack).has_update_policy)
        return loaded

    @monkey_patch.wrap(
        signatures.GET_KWARGS_FOR_CLONING,
        why='store() writes these values to the row of the stack')
    def get_kwargs_for_cloning(self, original, keep_status=False,
                               only_db=False, keep_tags=False):
        values = original(keep_status, only_db, keep_tags)
        return {**values,
                **policy_flag.flag_columns(self)} if only_db else values

    @monkey_patch.wrap(signatures.STORE, signatures.STORE_24,
                       why='a new policy sets the flags of the stacks around '
                           'it, and update_task calls store once before it '
                           'starts')
    def store(self, original, *args, **kwargs):
        was_new, old_flag = self.id is None, policy_flag.get_flag(self)
        stored = original(*args, **kwargs)
        rollback_check.record_after_store(self)
        if stored is not None:
            reviewed_plan.record_after_store(self)
            policy_flag.propagate_flag(self, was_new, old_flag)
        return stored

    @monkey_patch.wrap(signatures.CONVERGE_STACK,
                       signatures.CONVERGE_STACK_24,
                       why='the last call before the new template becomes the '
                           'current template')
    def converge_stack(self, original, template, action='UPDATE',
                       new_stack=None, **kwargs):
        if new_stack is not None and update_check.reject_if_forbidden(
                self, action, new_stack, template):
            return None
        return original(template, action=action, new_stack=new_stack,
                        **kwargs)

    @monkey_patch.wrap('(self)', why='the traversal of a rollback is not the '
                                     'traversal of the undone update')
    def rollback(self, original):
        rollback_check.set_rolled_back(self)
        return original()

    @monkey_patch.wrap(signatures.CONVERGE_CREATE_OR_UPDATE,
                       signatures.CONVERGE_CREATE_OR_UPDATE_24,
                       why='the new traversal is in the database, but no '
                           'resource is triggered yet')
    def _converge_create_or_update(self, original, *args, **kwargs):
        rollback_check.record_traversal(self)
        return original(*args, **kwargs)

    @monkey_patch.wrap(
        signatures.UPDATE_TASK,
        why='the legacy engine has locked the stack here, and its caller '
            'still waits')
    def update_task(self, original, newstack, action='UPDATE',
                    msg_queue=None, notify=None):
        if reviewed_plan.reject_outdated(self, newstack, notify):
            return
        is_idle = self.status != self.IN_PROGRESS
        if is_idle and update_check.reject_if_forbidden(
                self, action, newstack, newstack.t, notify):
            return
        rollback_check.record_at_store(self)
        yield from original(newstack, action=action, msg_queue=msg_queue,
                            notify=notify)
