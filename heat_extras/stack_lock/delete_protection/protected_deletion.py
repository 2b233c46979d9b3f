# SPDX-License-Identifier: Apache-2.0

"""Reject the deletion of a tree that is protected from deletion."""

from heat.db import api as db_api
from heat.objects import stack as stack_object
from oslo_log import log as logging

from heat_extras.db import stack_columns
from heat_extras.heat_internals import caller
from heat_extras.heat_internals import guarded_stacks
from heat_extras.stack_lock.delete_protection import delete_intent
from heat_extras.stack_lock.delete_protection import protection
from heat_extras.stack_lock.delete_protection import protection_tag
from heat_extras.stack_lock import errors
from heat_extras.stack_lock import messages
from heat_extras.stack_lock import operations

LOG = logging.getLogger(__name__)


def check_row(context, row, operation):
    """Reject a deletion early, before it stops an operation in progress.

    :param row: the heat.objects.stack.Stack that Heat has loaded.
    :raises StackProtected: if the tree is protected.
    """
    if not operations.is_deletion(operation) or (
            row.owner_id is not None and caller.is_parent_call(context)):
        return
    if delete_intent.stored_intent() is not None:
        # The thread that waited for the cancelled operation has loaded the
        # row again.
        return
    refuse_if_protected(context, row, guarded_stacks.read_root(context, row))


def store_needed_intent(request, row):
    """Store the intent of a deletion that may stop an operation in progress.

    A deletion that a guard rejects must not have stored its intent.

    :raises StackProtected: if the root is protected meanwhile.
    """
    if request.delete_intent is None or (
            row.owner_id is not None and request.is_of_parent):
        return
    if delete_intent.stored_intent() is None and _needs_intent(row):
        store_intent(request.context, row)


def _needs_intent(row):
    # The deletion of a locked stack first unlocks it.
    return (row.owner_id is not None
            or stack_columns.get_columns(row).lock_level is not None
            or (row.convergence and row.status == 'IN_PROGRESS'))


def check_busy(context, stack_id):
    """Store the intent to delete a stack whose operation is stopped next.

    This operation holds the StackLock.

    :raises StackProtected: if the tree is protected.
    """
    own = delete_intent.current_intent()
    if own is None or caller.is_parent_call(context):
        return
    own.is_to_wait = True
    if own.is_stored:
        return
    row = stack_object.Stack.get_by_id(context, stack_id, eager_load=False)
    if row is not None:
        store_intent(context, row)


def store_intent(context, row):
    """Store the intent to delete a stack, so that its root is not protected.

    :raises StackProtected: if the root is already protected.
    """
    root = guarded_stacks.read_root(context, row)
    current = delete_intent.current_intent().store(context, root.id)
    if current.is_set:
        _refuse(context, row, root, current)


def refuse_if_protected(context, row, root):
    """Reject a deletion if the root is protected.

    :raises StackProtected: if the root is protected.
    """
    # Heat's own object has the columns of heat-extras in another place.
    columns = stack_columns.get_columns(row) if root is row else root
    with db_api.context_manager.reader.independent.using(context) as session:
        current = delete_intent.read_protection(session, root.id, columns)
    if current.is_set:
        _refuse(context, row, root, current)


def check_overtaken(context, stack_id):
    """Reject a deletion that updated no row, unless another has started.

    Heat itself would report success.

    :raises StackLockConflict: if the stack is not being deleted.
    """
    if caller.is_parent_call(context):
        return
    row = stack_object.Stack.get_by_id(context, stack_id, eager_load=False)
    if row is not None and row.action != protection.DELETE:
        raise errors.StackLockConflict(message=(
            f'Stack {messages.name_and_id(row)} was changed by another '
            'request. Its deletion was not started. Check the stack and try '
            'again.'))


def check_tag_is_set(stack, updated):
    """Reject an update that changed no row, and did not add the tag.

    Heat itself would report success without the tag.

    :param stack: a heat.engine.stack.Stack.
    :param updated: the stack after the update, or None.
    :raises StackLockConflict: if the tag is requested but not stored.
    """
    if not protection_tag.is_requested(stack, updated):
        return
    with db_api.context_manager.reader.independent.using(
            stack.context) as session:
        stored_tag = protection_tag.tag_of_stack(session, stack.id)
    if stored_tag is None:
        raise errors.StackLockConflict(message=(
            f'Stack {messages.name_and_id(stack)} was changed by another '
            'request. The update was not started, so the tag '
            f'{protection_tag.configured_tag()!r} was not added to the stack. '
            'Check the stack and try again.'))


def check_again(context, stack_id):
    """Reject a deletion if its stack was protected in the meantime.

    :raises StackProtected: if the stack is protected.
    """
    row = stack_object.Stack.get_by_id(context, stack_id, eager_load=False)
    if row is not None and row.owner_id is None:
        refuse_if_protected(context, row, row)


def _refuse(context, row, root, current):
    LOG.info('Deletion of stack %(name)s (%(id)s) refused: the stack is '
             'protected from deletion',
             {'name': row.name, 'id': row.id})
    raise errors.StackProtected(stack_id=row.id, message=current.describe(
        messages.name_and_id(row), root.name, context.project_id))
