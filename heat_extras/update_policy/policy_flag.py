# SPDX-License-Identifier: Apache-2.0

"""The flag of stacks whose tree has an ``allow``.

The column ``has_update_policy`` of a stack is true if a template of the stack,
of a stack nested in it, or of a stack around it has or had an ``allow``, or if
the tree was updated with a reviewed plan, or its resources were protected. It
is read and written with the row that Heat reads and writes anyway. Only a new
nested stack needs a query for the flag of its owner. If the flag is NULL, the
next update reads the templates of the tree. The flag is NULL in stacks that
are older than the feature, and in all stacks after an engine has run without
the feature.
"""

from heat.db import api as db_api
from heat.db import models
from heat.objects import stack as stack_object
import sqlalchemy

from heat_extras.db import stack_columns
from heat_extras.db import tree_queries
from heat_extras import gate
from heat_extras.heat_internals import object_data
from heat_extras.update_policy import allow

COLUMN = 'has_update_policy'

_stack = models.Stack.__table__
_template = models.RawTemplate.__table__


def has_policy_nearby(stack):
    """Return whether the tree of a stack has a policy, or gets one now.

    If an update adds the first policy of the tree to a nested stack, the flags
    must be set before the update reaches the nested stacks.
    """
    data = object_data.of_stack(stack)
    if data.has_policy is False and data.has_allow:
        set_flags(stack.context, stack.id)
        data.set_policy(True)
    return data.has_policy is not False


def find_flag(stack, updated=None):
    """Return the flag of a stack, after the search for what sets it.

    A tag that protects the resources does not set it.

    :param updated: the stack after the update that starts, or None.
    """
    data = object_data.of_stack(stack)
    if data.has_policy is None:
        data.set_policy(compute_flags(stack.context, stack.id))
    if not data.has_policy and gate.find_resource_protection(stack, updated):
        set_flags(stack.context, stack.id)
        data.set_policy(True)
    return data.has_policy


def has_allow(template):
    """Return whether an unparsed template has an ``allow``."""
    return bool(allow.find_in_template(getattr(template, 't', None)))


def reload_flag(stack):
    """Read the flag, and the protection of a root, again from the database."""
    row = stack_object.Stack.get_by_id(stack.context, stack.id,
                                       eager_load=False)
    if row is not None:
        data = object_data.of_stack(stack)
        data.columns = stack_columns.get_columns(row)
        data.set_policy(data.columns.has_update_policy)


def flag_columns(stack):
    """Return the value of the column when a stack is stored, in a dict."""
    if stack.id is None:
        flag = has_allow(stack.t) or _owner_flag(stack)
        object_data.of_stack(stack).set_policy(flag)
        return {COLUMN: flag}
    # Never change True to False: another engine may have found an allow.
    return {COLUMN: True} if has_allow(stack.t) else {}


def _owner_flag(stack):
    owner = stack.owner_id and stack_object.Stack.get_by_id(
        stack.context, stack.owner_id, show_deleted=True, eager_load=False)
    return (stack_columns.get_columns(owner).has_update_policy if owner
            else False)


def propagate_flag(stack, was_new, old_flag):
    """Set the flags of the tree after a stack with a new policy is stored.

    :param was_new: whether the stack had no row before.
    :param old_flag: the flag of the stack before.
    """
    if (has_allow(stack.t) and old_flag is not True
            and not (was_new and stack.owner_id is None)):
        set_flags(stack.context, stack.id)
        object_data.of_stack(stack).set_policy(True)


def set_flags(context, stack_id):
    """Set the flags of the stacks around a stack and inside of it."""
    around = tree_queries.select_ancestors(_stack, stack_id)
    with db_api.context_manager.writer.using(context) as session:
        ids = {*session.scalars(sqlalchemy.select(around.c.id)),
               *_list_subtree(session, stack_id)}
        _write_flags(session, ids, True)


def compute_flags(context, stack_id):
    """Read the templates of the whole tree of a stack, and set the flags.

    :returns: whether any template of the tree has an ``allow``, or the root is
        protected from deletion, which can include updates.
    """
    with db_api.context_manager.writer.using(context) as session:
        root_id = session.scalar(tree_queries.select_root_id(_stack, stack_id))
        ids = _list_subtree(session, root_id)
        is_protected = session.scalar(
            sqlalchemy.select(_stack.c.delete_protection_id)
            .where(_stack.c.id == root_id))
        documents = session.scalars(
            sqlalchemy.select(_template.c.template)
            .join(_stack, _stack.c.raw_template_id == _template.c.id)
            .where(_stack.c.id.in_(ids)))
        flag = is_protected is not None or any([
            allow.find_in_template(document) for document in documents])
        # A policy or a protection can have been added in the meantime.
        _write_flags(session, ids, flag, *(
            () if flag else (_stack.c.has_update_policy.is_(None),)))
    return flag


def _list_subtree(session, stack_id):
    tree = tree_queries.select_subtree(_stack, _stack.c.id == stack_id)
    return set(session.scalars(sqlalchemy.select(tree.c.id)))


def _write_flags(session, ids, flag, *criteria):
    session.execute(sqlalchemy.update(_stack)
                    .where(_stack.c.id.in_(ids), *criteria)
                    .values({COLUMN: flag}))
