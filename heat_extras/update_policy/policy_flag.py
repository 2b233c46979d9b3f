# SPDX-License-Identifier: Apache-2.0

"""The flag of a stack that is near any ``allow``.

The column ``has_update_policy`` of a stack is true when a template of the
stack, of one nested in it, or of one around it has, or once had, an
``allow``. It comes with the row that Heat loads anyway, and goes with the
row that Heat writes anyway; only a new nested stack reads the flag of its
owner. NULL makes the next update read the templates of the tree: in a stack
from before this feature, and in all where an engine has run without it.
"""

from heat.db import api as db_api
from heat.db import models
from heat.objects import stack as stack_object
import sqlalchemy

from heat_extras.db import stack_columns
from heat_extras.db import stack_tree
from heat_extras.update_policy import allow

COLUMN = 'has_update_policy'
ATTRIBUTE = 'heat_extras_has_update_policy'
# Of a stack whose template was found, when it was validated, to have an
# allow, or one nested in it to have one.
HAS_ALLOW = 'heat_extras_has_allow'

_stack = models.Stack.__table__
_template = models.RawTemplate.__table__


def get_flag(stack):
    """Return the flag of a loaded stack, or None when it is not known."""
    return getattr(stack, ATTRIBUTE, None)


def is_loaded(stack):
    """Return whether a stack came from the database, with its flag."""
    return hasattr(stack, ATTRIBUTE)


def has_policy_nearby(stack):
    """Return whether there is a policy near a stack, or comes with it now.

    The nested stacks that an update comes to must know in time when one of
    them is about to get the first policy of the tree.
    """
    if get_flag(stack) is False and getattr(stack, HAS_ALLOW, False):
        set_flags(stack.context, stack.id)
        setattr(stack, ATTRIBUTE, True)
    return get_flag(stack) is not False


def has_allow(template):
    """Return whether a template, unparsed, has an ``allow`` anywhere."""
    return bool(allow.find_in_template(getattr(template, 't', None)))


def flag_columns(stack):
    """Return what the row of a stack that is stored gets, by column."""
    if stack.id is None:
        setattr(stack, ATTRIBUTE, has_allow(stack.t) or _owner_flag(stack))
        return {COLUMN: get_flag(stack)}
    # Another engine may have found one meanwhile: never write False over
    # its True.
    return {COLUMN: True} if has_allow(stack.t) else {}


def _owner_flag(stack):
    owner = stack.owner_id and stack_object.Stack.get_by_id(
        stack.context, stack.owner_id, show_deleted=True, eager_load=False)
    return (stack_columns.get_columns(owner).has_update_policy if owner
            else False)


def propagate_flag(stack, was_new, knew):
    """Mark the stacks around a stored one when its policy is new.

    :param was_new: whether the stack had no row before.
    :param knew: its flag before.
    """
    if (has_allow(stack.t) and knew is not True
            and not (was_new and stack.owner_id is None)):
        set_flags(stack.context, stack.id)
        setattr(stack, ATTRIBUTE, True)


def set_flags(context, stack_id):
    """Set the flag of the stacks around a stack, and in it."""
    around = stack_tree.select_ancestors(_stack, stack_id)
    with db_api.context_manager.writer.using(context) as session:
        ids = {*session.scalars(sqlalchemy.select(around.c.id)),
               *_list_subtree(session, stack_id)}
        _write_flags(session, ids, True)


def compute_flags(context, stack_id):
    """Read the templates of the whole tree of a stack, and set its flags.

    :returns: whether any template of the tree has an ``allow``.
    """
    with db_api.context_manager.writer.using(context) as session:
        ids = _list_subtree(session, session.scalar(
            stack_tree.select_root_id(_stack, stack_id)))
        documents = session.scalars(
            sqlalchemy.select(_template.c.template)
            .join(_stack, _stack.c.raw_template_id == _template.c.id)
            .where(_stack.c.id.in_(ids)))
        found = any([allow.find_in_template(document)
                     for document in documents])
        _write_flags(session, ids, found)
    return found


def _list_subtree(session, stack_id):
    tree = stack_tree.select_subtree(_stack, _stack.c.id == stack_id)
    return set(session.scalars(sqlalchemy.select(tree.c.id)))


def _write_flags(session, ids, found):
    session.execute(sqlalchemy.update(_stack).where(_stack.c.id.in_(ids))
                    .values({COLUMN: found}))
