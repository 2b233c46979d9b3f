# SPDX-License-Identifier: Apache-2.0

"""The lock of a stack tree, and its protection from deletion.

The checks here are fast and have clear errors.
:mod:`heat_extras.stack_lock.lock_transaction` enforces the lock.
"""

from heat_extras.db import stack_columns
from heat_extras import guard
from heat_extras.heat_internals import object_data
from heat_extras.stack_lock import auto_unlock
from heat_extras.stack_lock import check
from heat_extras.stack_lock.delete_protection import protection_tag
from heat_extras.stack_lock.delete_protection import service as delete_service
from heat_extras.stack_lock import fields
from heat_extras.stack_lock import ignored_signals
from heat_extras.stack_lock import lock_guards
from heat_extras.stack_lock import lock_list
from heat_extras.stack_lock import lock_pass
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock import lock_thread
from heat_extras.stack_lock import operation_start
from heat_extras.stack_lock import pass_use
from heat_extras.stack_lock.resource_locks import handlers
from heat_extras.stack_lock.resource_locks import lock_resources
from heat_extras.stack_lock import service


class StackLockGuard(guard.Guard):
    """Rejects the operations of :data:`operations.TABLE`."""

    methods = {'stack_lock': service.lock,
               'stack_unlock': service.unlock,
               'stack_extend_lock': service.extend_lock,
               'stack_lock_pass': lock_pass.grant_or_revoke,
               'stack_protect': delete_service.protect,
               'stack_unprotect': delete_service.unprotect,
               'list_stack_locks': lock_list.list_locks}
    answers = {'show_stack': fields.add_fields_to_show,
               'list_stacks': fields.add_fields_to_list,
               'describe_stack_resource': fields.add_fields_to_resource,
               'list_stack_resources': fields.add_fields_to_resources}

    def __init__(self):
        # An error stops the start of the engine.
        handlers.load()

    def process(self, request, proceed):
        return check.process(request, proceed)

    def check_row(self, request, row):
        check.check_row(request, row)

    def accept_row(self, request, row):
        check.store_needed_intent(request, row)

    def prepare_update(self, update, proceed):
        # Heat next removes the tags that the request does not have.
        template, current, updated = proceed()
        protection_tag.keep_tag(current, updated, update.arguments)
        return template, current, updated

    def start_convergence(self, stack, start, proceed):
        return operation_start.converge_stack(stack, start, proceed)

    def restore(self, stack, proceed):
        # The restored stack has no tags.
        restored, template = proceed()
        protection_tag.keep_tag(stack, restored)
        return restored, template

    def accept_signal(self, resource, proceed):
        if not ignored_signals.is_ignored(resource):
            return proceed()

    def signal(self, resource, details, proceed):
        return ignored_signals.signal(resource, details, proceed)

    def load_stack(self, stack, row):
        columns = stack_columns.get_columns(row)
        data = object_data.of_stack(stack)
        data.columns = columns
        data.lock = lock_record.Lock.from_columns(columns)

    def store(self, stack, proceed):
        return operation_start.store(stack, proceed)

    def release_stack_lock(self, stack, engine_id, proceed):
        return operation_start.end_export(stack, engine_id, proceed)

    def end_traversal(self, stack, proceed):
        result = proceed()
        pass_use.relock_after(stack)
        return result

    def format_stack(self, info, stack):
        fields.mark_stack(info, object_data.of_stack(stack).columns)

    def format_row(self, info, row):
        fields.mark_stack(info, stack_columns.get_columns(row))

    def list_stops(self, context, update):
        return check.list_stops(context, update)

    def find_deletion_stops(self, context, tree):
        return lock_resources.find_deletion_stops(context, tree)

    def list_guards(self, context, tree):
        return lock_guards.list_guards(context, tree)

    def find_resource_protection(self, stack, updated):
        return delete_service.find_resource_protection(stack, updated)

    def sweep_steps(self):
        return {'interrupted locks and unlocks': lock_thread.fail_interrupted,
                'updates with a lock pass': pass_use.relock_due,
                'expired lock passes': lock_pass.expire_unused,
                'expired locks': auto_unlock.unlock_due}
