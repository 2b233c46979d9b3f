# SPDX-License-Identifier: Apache-2.0

"""The tags that protect a root from deletion, if the operator sets them.

Users add and remove a tag with a create or update. So clients without support
for heat-extras can protect a stack. Tags are not copied. One of the tags also
protects the resources of the tree from updates, like ``protect --resources``.
An update that removes it is still checked: the resources are checked after
Heat has written the new tags, so the removal is recorded.
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
from heat_extras.heat_internals import current_update
from heat_extras.heat_internals import object_data
from heat_extras.stack_lock.delete_protection import protection
from heat_extras.stack_lock import options
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


def configured_tags():
    """Return the tags, and whether each protects the resources, in a dict."""
    return options.read_protection_tags(cfg.CONF)


def resource_tag():
    """Return the tag that also protects the resources, or None."""
    return next((tag for tag, has_resources in configured_tags().items()
                 if has_resources), None)


def tags_of_stack(session, stack_id):
    """List the tags that protect a stack now, the one of resources first."""
    if not configured_tags():
        return []
    stored = set(session.scalars(sqlalchemy.select(_tag.c.tag).where(
        _tag.c.stack_id == stack_id)))
    return [tag for tag in configured_tags() if tag in stored]


def tag_is_absent():
    """Return the criterion for an UPDATE of the stack table.

    Nested stacks are only protected by the tags of their root.
    """
    tags = configured_tags()
    if not tags:
        return sqlalchemy.true()
    return models.Stack.owner_id.is_not(None) | ~sqlalchemy.exists().where(
        _tag.c.stack_id == models.Stack.id,
        sqlalchemy.or_(*map(_equals, tags)))


def keep_tag(stack, updated, args=None):
    """Keep the tags if the request does not have tags.

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
    _add_tags(updated, stack.tags)


def write_tag_early(stack, updated):
    """Write new tags at the start of a legacy update.

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
    if object_data.of_stack(updated).keeps_tag:
        _add_tags(updated, stored)
    added = [tag for tag in configured_tags()
             if tag in updated.tags and tag not in stored]
    if added:
        stack.tags = [*stored, *added]
        stack_tag.StackTagList.set(stack.context, stack.id, stack.tags)
        # Set them again, so that Heat considers them as stored.
        stack.tags = list(stack.tags)


def insert_tag_with_update(stack, updated):
    """Write the tags with the UPDATE that starts a convergence update.

    Heat writes tags later, in another transaction (Stack.store). Between the
    two, the update would be accepted, but the tags would not prevent a
    deletion.

    :param stack: as in :func:`requested_tags`.
    :param updated: as in :func:`requested_tags`.
    """
    tags = requested_tags(stack, updated)
    if not tags:
        return contextlib.nullcontext()
    return write_criteria.changed(adds_tags_to=stack.id, added_tags=tags)


def wrapped_stack_update(original, stack_id):
    """Return a function that updates a stack and also writes the tags.

    :param original: Heat's stack_update, which is returned unchanged if there
        is no tag to write.
    """
    wanted = write_criteria.current()
    if stack_id is None or wanted.adds_tags_to != stack_id:
        return original

    def write(context, stack_id, values, exp_trvsl=None):
        with db_api.context_manager.writer.using(context) as session:
            is_written = transactions.without_retry(original)(
                context, stack_id, values, exp_trvsl=exp_trvsl)
            stored = tags_of_stack(session, stack_id)
            for tag in wanted.added_tags:
                if is_written and tag not in stored:
                    session.execute(sqlalchemy.insert(_tag).values(
                        stack_id=stack_id, tag=tag,
                        created_at=timeutils.utcnow()))
        return is_written
    return transactions.on_db_error(write)


def write_tags_if_current(stack):
    """Write the tags of an operation only if it is the stack's newest one.

    Heat writes the tags after the UPDATE that starts the operation, without a
    check (Stack.store). Another operation might have started before, and
    might have added a tag.
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


def requested_tags(stack, updated):
    """List the tags in a request that protect a root stack.

    :param stack: the current heat.engine.stack.Stack.
    :param updated: the stack after the update, or None.
    """
    if (updated is None or not _is_protectable(stack)
            or object_data.of_stack(updated).keeps_tag):
        return []
    return [tag for tag in configured_tags() if tag in updated.tags]


def _is_protectable(stack):
    return bool(configured_tags()) and stack.owner_id is None


def _add_tags(updated, tags):
    for tag in configured_tags():
        if tag in tags and tag not in updated.tags:
            updated.tags = [*updated.tags, tag]


def record_removal(context, stack_id, tags=()):
    """Record that the current update removes the tag of the resources.

    :param tags: the new tags of the stack, which Heat writes next.
    """
    tag = resource_tag()
    if tag is None or tag in tags:
        return
    with db_api.context_manager.reader.independent.using(context) as session:
        is_removed = tag in tags_of_stack(session, stack_id)
    if is_removed:
        current_update.record_once(
            context, stack_id, current_update.REMOVED_TAG,
            current_update.find_update(context, stack_id).key, lambda: tag)


def is_being_removed(context, root_id):
    """Return whether the update in progress removed the resources' tag."""
    update = current_update.find_update(context, root_id)
    return update.is_in_progress and resource_tag() == (
        current_update.read_state(context, root_id, current_update.REMOVED_TAG,
                                  update.key))


def fields_of_body(info):
    """Return the fields of a root stack that its tags change."""
    tags = [] if info.get(rpc_api.STACK_PARENT) else (
        info.get(rpc_api.STACK_TAGS) or [])
    found = [has_resources for tag, has_resources in configured_tags().items()
             if tag in tags]
    return {**({protection.PROTECTED: True} if found else {}),
            **({protection.RESOURCES: True} if any(found) else {})}
