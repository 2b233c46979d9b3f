# SPDX-License-Identifier: Apache-2.0

"""The tag that protects a root from deletion, if the operator sets one.

Users add and remove the tag with a create or update. So clients without
support for heat-extras can protect a stack. The tag is not copied.
"""

import contextlib

from heat.db import api as db_api
from heat.db import models
from heat.objects import stack_tag
from heat.rpc import api as rpc_api
from oslo_config import cfg
from oslo_log import log as logging
from oslo_utils import timeutils
import sqlalchemy
from sqlalchemy.ext import compiler
from sqlalchemy.sql import functions

from heat_extras.db import transactions
from heat_extras.heat_internals import object_data
from heat_extras.stack_lock import write_criteria

LOG = logging.getLogger(__name__)

_stack = models.Stack.__table__
_tag = models.StackTag.__table__


class _Bytes(functions.GenericFunction):
    """A text that MySQL and MariaDB compare exactly.

    Without this, "Keep", "keep" and "keep " are equal for them.
    """

    inherit_cache = True
    name = 'heat_extras_bytes'


@compiler.compiles(_Bytes)
def _compile_unchanged(element, compiled, **options):
    return compiled.process(element.clauses, **options)


@compiler.compiles(_Bytes, 'mysql')
@compiler.compiles(_Bytes, 'mariadb')
def _compile_as_binary(element, compiled, **options):
    return f'CAST({compiled.process(element.clauses, **options)} AS BINARY)'


def _equals(tag):
    return _Bytes(_tag.c.tag) == _Bytes(sqlalchemy.literal(tag))


def configured_tag():
    """Return the tag, or None if the option is not set."""
    return cfg.CONF.heat_extras.delete_protection_tag or None


def tag_of_stack(session, stack_id):
    """Return the tag if a stack has it now, or None."""
    tag = configured_tag()
    if tag is None:
        return None
    return session.scalar(sqlalchemy.select(_tag.c.tag).where(
        _tag.c.stack_id == stack_id, _equals(tag)).limit(1))


def tag_is_absent():
    """Return the criterion for an UPDATE of the stack table.

    Nested stacks are only protected by the tag of their root.
    """
    tag = configured_tag()
    if tag is None:
        return sqlalchemy.true()
    return models.Stack.owner_id.is_not(None) | ~sqlalchemy.exists().where(
        _tag.c.stack_id == models.Stack.id, _equals(tag))


def keep_tag(stack, updated, args=None):
    """Keep the tag if the request does not have tags.

    Heat itself would remove all tags (EngineService._prepare_stack_updates,
    Stack.restore_data).

    :param stack: the current heat.engine.stack.Stack.
    :param updated: the stack after the update.
    :param args: the arguments of the request. Like Heat, treat null as a
        request without tags.
    """
    if (not _is_protectable(stack)
            or (args or {}).get(rpc_api.STACK_TAGS) is not None):
        return
    object_data.of_stack(updated).keeps_tag = True
    if configured_tag() in stack.tags:
        _add_tag(updated)


def write_tag_early(stack, updated):
    """Write the tag at the start of a legacy update.

    Heat responds before it writes tags (Stack.update_task). It writes no tags
    if a policy or a plugin rejects the update. The stack was loaded before
    this update had the StackLock, so read its tags again.

    :param stack: the current stack.
    :param updated: the stack after the update.
    """
    if not _is_protectable(stack):
        return
    stored = [each.tag for each in stack_tag.StackTagList.get(
        stack.context, stack.id) or ()]
    if configured_tag() in stored and object_data.of_stack(updated).keeps_tag:
        _add_tag(updated)
    if configured_tag() in updated.tags and configured_tag() not in stored:
        stack.tags = [*stored, configured_tag()]
        stack_tag.StackTagList.set(stack.context, stack.id, stack.tags)
        # Set them again, so that Heat considers them as stored.
        stack.tags = list(stack.tags)


def insert_tag_with_update(stack, updated):
    """Write the tag with the UPDATE that starts a convergence update.

    Heat writes tags later, in another transaction (Stack.store). Between the
    two, the update would be accepted, but the tag would not prevent a
    deletion.

    :param stack: as in :func:`is_requested`.
    :param updated: as in :func:`is_requested`.
    """
    if not is_requested(stack, updated):
        return contextlib.nullcontext()
    return write_criteria.changed(adds_tag_to=stack.id)


def wrapped_stack_update(original, stack_id):
    """Return a function that updates a stack and also writes the tag.

    :param original: Heat's stack_update, which is returned unchanged if there
        is no tag to write.
    """
    if stack_id is None or write_criteria.current().adds_tag_to != stack_id:
        return original

    def write(context, stack_id, values, exp_trvsl=None):
        with db_api.context_manager.writer.using(context) as session:
            is_written = transactions.without_retry(original)(
                context, stack_id, values, exp_trvsl=exp_trvsl)
            if is_written and tag_of_stack(session, stack_id) is None:
                session.execute(sqlalchemy.insert(_tag).values(
                    stack_id=stack_id, tag=configured_tag(),
                    created_at=timeutils.utcnow()))
        return is_written
    return transactions.on_db_error(write)


def write_tags_if_current(stack):
    """Write the tags of an operation only if it is the stack's newest one.

    Heat writes the tags after the UPDATE that starts the operation, without a
    check (Stack.store). Another operation might have started before, and
    might have added the tag.
    """
    if not stack.convergence or not _is_protectable(stack):
        return contextlib.nullcontext()
    return write_criteria.changed(stores_tags_of=stack)


def wrapped_tags_write(original, stack_id):
    """Return a function that writes the tags of a stack.

    :param original: Heat's stack_tags_set or stack_tags_delete, which is
        returned unchanged if no convergence operation stores a root.
    """
    stack = write_criteria.current().stores_tags_of
    if stack is None or stack.id != stack_id:
        return original

    def write(context, stack_id, *tags):
        with db_api.context_manager.writer.using(context) as session:
            if not _is_newest(session, stack):
                LOG.info('heat-extras: the tags in a request for stack %s are '
                         'not stored, because a newer operation of the stack '
                         'has started', stack.id)
                return None
            return transactions.without_retry(original)(context, stack_id,
                                                        *tags)
    return transactions.on_db_error(write)


def _is_newest(session, stack):
    # An UPDATE without a change locks the row, also on SQLite.
    return session.execute(
        sqlalchemy.update(_stack)
        .where(_stack.c.id == stack.id,
               _stack.c.current_traversal == stack.current_traversal)
        .values(current_traversal=stack.current_traversal,
                updated_at=_stack.c.updated_at)).rowcount == 1


def is_requested(stack, updated):
    """Return whether a request has the tag for a root stack.

    :param stack: the current heat.engine.stack.Stack.
    :param updated: the stack after the update, or None.
    """
    return (updated is not None and _is_protectable(stack)
            and not object_data.of_stack(updated).keeps_tag
            and configured_tag() in updated.tags)


def _is_protectable(stack):
    return configured_tag() is not None and stack.owner_id is None


def _add_tag(updated):
    if configured_tag() not in updated.tags:
        updated.tags = [*updated.tags, configured_tag()]


def is_in_body(info):
    """Return whether the body of a root stack has the tag."""
    tag = configured_tag()
    return (tag is not None and not info.get(rpc_api.STACK_PARENT)
            and tag in (info.get(rpc_api.STACK_TAGS) or ()))
