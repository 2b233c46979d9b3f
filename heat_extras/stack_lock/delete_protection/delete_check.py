# SPDX-License-Identifier: Apache-2.0

"""Refuse the deletion of a tree that is protected from it."""

from heat.db import api as db_api
from heat.objects import stack as stack_object
from oslo_log import log as logging

from heat_extras.db import stack_columns
from heat_extras.heat_internals import guard_tree
from heat_extras.heat_internals import parent_call
from heat_extras.stack_lock.delete_protection import delete_intent
from heat_extras.stack_lock.delete_protection import protection
from heat_extras.stack_lock.delete_protection import protection_tag
from heat_extras.stack_lock import errors
from heat_extras.stack_lock import messages
from heat_extras.stack_lock import operations

LOG = logging.getLogger(__name__)


def check_row(context, row, operation):
    """Refuse a deletion early, before it stops an operation in progress.

    :param row: the heat.objects.stack.Stack that Heat has loaded.
    :raises StackProtected:
    """
    if not operations.is_deletion(operation) or (
            row.owner_id is not None and parent_call.is_parent_call(context)):
        return
    if delete_intent.stored_intent() is not None:
        # Loaded anew, by the thread that waited for what was cancelled.
        return
    refuse_if(context, row, guard_tree.read_root(context, row))
    if _ends_something(row):
        store_intent(context, row)


def _ends_something(row):
    # A locked stack is unlocked first.
    return (row.owner_id is not None
            or stack_columns.get_columns(row).lock_level is not None
            or (row.convergence and row.status == 'IN_PROGRESS'))


def check_busy(context, stack_id):
    """Store the intent to delete a stack whose operation is ended next.

    Its StackLock is held for that operation.

    :raises StackProtected:
    """
    own = delete_intent.current_intent()
    if own is None or parent_call.is_parent_call(context):
        return
    own.is_to_wait = True
    if own.is_stored:
        return
    row = stack_object.Stack.get_by_id(context, stack_id, eager_load=False)
    if row is not None:
        store_intent(context, row)


def store_intent(context, row):
    """Prevent a protection of the root of a stack that is to be deleted.

    :raises StackProtected: when it is protected already.
    """
    root = guard_tree.read_root(context, row)
    found = delete_intent.current_intent().store(context, root.id)
    if found.is_there:
        _refuse(context, row, root, found)


def refuse_if(context, row, root):
    """Refuse when the row of a root says that it is protected."""
    # Heat's own object keeps our columns apart.
    columns = stack_columns.get_columns(row) if root is row else root
    with db_api.context_manager.reader.independent.using(context) as session:
        found = delete_intent.read_protection(session, root.id, columns)
    if found.is_there:
        _refuse(context, row, root, found)


def check_overtaken(context, stack_id):
    """Refuse a deletion that updated no row, unless another has started.

    Heat would answer success.

    :raises StackLockConflict:
    """
    if parent_call.is_parent_call(context):
        return
    row = stack_object.Stack.get_by_id(context, stack_id, eager_load=False)
    if row is not None and row.action != protection.DELETE:
        raise errors.StackLockConflict(
            message=messages.changed(messages.name_and_id(row)))


def check_tag_is_set(stack, updated):
    """Refuse an update that met no row, and was to let the tag protect.

    Heat would answer success, and the tag is not there.

    :param stack: a heat.engine.stack.Stack.
    :param updated: the stack after the update, or None.
    :raises StackLockConflict:
    """
    if not protection_tag.is_asked_for(stack, updated):
        return
    with db_api.context_manager.reader.independent.using(
            stack.context) as session:
        found = protection_tag.tag_of_stack(session, stack.id)
    if found is None:
        raise errors.StackLockConflict(message=(
            f'Stack {messages.name_and_id(stack)} was changed by another '
            'request. The update was not started, and the tag '
            f'{protection_tag.configured_tag()!r} does not protect the stack '
            'from deletion. Check the stack and try again.'))


def check_again(context, stack_id):
    """Refuse a deletion if its stack has been protected since."""
    row = stack_object.Stack.get_by_id(context, stack_id, eager_load=False)
    if row is not None and row.owner_id is None:
        refuse_if(context, row, row)


def _refuse(context, row, root, found):
    LOG.info('Deletion of stack %(name)s (%(id)s) refused: protected',
             {'name': row.name, 'id': row.id})
    raise errors.StackProtected(stack_id=row.id, message=found.describe(
        messages.name_and_id(row), root.name, context.project_id))
