# SPDX-License-Identifier: Apache-2.0

"""Refuse the deletion of a tree that is protected from it."""

import dataclasses

from heat.db import api as db_api
from heat.db import models as heat_models
from heat.objects import stack as stack_object
from oslo_log import log as logging
import sqlalchemy

from heat_extras.db import stack_columns
from heat_extras.heat_internals import guard_tree
from heat_extras.heat_internals import parent_call
from heat_extras.stack_lock.delete_protection import protection
from heat_extras.stack_lock.delete_protection import tag
from heat_extras.stack_lock import errors
from heat_extras.stack_lock import messages
from heat_extras.stack_lock import operations
from heat_extras.stack_lock import states

LOG = logging.getLogger(__name__)


def check_row(context, row, operation):
    """Refuse a deletion early, before it stops an operation in progress.

    :param row: the heat.objects.stack.Stack that Heat has loaded.
    :raises StackProtected:
    """
    if operations.is_deletion(operation) and (
            row.owner_id is None or not parent_call.is_one(context)):
        refuse_if(context, row, guard_tree.root(context, row))


def refuse_if(context, row, root):
    """Refuse when the row of a root says that it is protected."""
    # Heat's own object keeps our columns apart.
    columns = stack_columns.columns(row) if root is row else root
    with db_api.context_manager.reader.independent.using(context) as session:
        found = read_protection(session, root.id, columns)
    if found.is_there:
        _refuse(context, row, root, found)


def check_overtaken(context, stack_id):
    """Refuse a deletion that updated no row, unless another has started.

    Heat would answer success.

    :raises StackLockConflict:
    """
    if parent_call.is_one(context):
        return
    row = stack_object.Stack.get_by_id(context, stack_id, eager_load=False)
    if row is not None and row.action != protection.DELETE:
        raise errors.StackLockConflict(
            message=messages.changed(messages.name_and_id(row)))


def check_again(context, stack_id):
    """Refuse a deletion if its stack has been protected since."""
    row = stack_object.Stack.get_by_id(context, stack_id, eager_load=False)
    if row is not None and row.owner_id is None:
        refuse_if(context, row, row)


def read_protection(session, root_id, columns):
    """Return what protects a root from deletion now.

    :param columns: anything with the columns of its row.
    """
    return dataclasses.replace(protection.Protection.from_row(columns),
                               tag=tag.tag_of_stack(session, root_id))


def update_criteria(values):
    """Return what the UPDATE of a stack requires if it begins a deletion.

    :param values: what the UPDATE writes.
    :returns: expressions.
    """
    begins = (protection.DELETE, states.IN_PROGRESS)
    if (values.get('action'), values.get('status')) != begins:
        return ()
    stack = heat_models.Stack
    # The legacy engine writes twice that it begins (Stack.delete).
    return (stack.delete_protection_id.is_(None),
            tag.is_absent() | sqlalchemy.and_(
                stack.action == protection.DELETE,
                stack.status == states.IN_PROGRESS))


def _refuse(context, row, root, found):
    LOG.info('Deletion of stack %(name)s (%(id)s) refused: protected',
             {'name': row.name, 'id': row.id})
    raise errors.StackProtected(stack_id=row.id, message=found.describe(
        messages.name_and_id(row), root.name, context.project_id))
