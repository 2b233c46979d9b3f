# SPDX-License-Identifier: Apache-2.0

"""The tag that protects a root from deletion, if the operator names one.

Users set and remove the tag with a create or update, so clients without
support for heat-extras can protect a stack. The tag is not copied.
"""

import contextlib
import contextvars

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

from heat_extras import context_vars
from heat_extras.db import retries

LOG = logging.getLogger(__name__)

_stack = models.Stack.__table__
_tag = models.StackTag.__table__

# The id of the root whose next UPDATE is to bring the tag.
_coming = contextvars.ContextVar('heat_extras_coming_tag', default=None)
# The root that an operation of the convergence engine stores.
_storing = contextvars.ContextVar('heat_extras_storing_tags', default=None)


class _Bytes(functions.GenericFunction):
    """A text of which MySQL and MariaDB compare what is written.

    To them "Keep" is the same as "keep", and "keep ".
    """

    inherit_cache = True
    name = 'heat_extras_bytes'


@compiler.compiles(_Bytes)
def _as_it_is(element, compiled, **options):
    return compiled.process(element.clauses, **options)


@compiler.compiles(_Bytes, 'mysql')
@compiler.compiles(_Bytes, 'mariadb')
def _as_bytes(element, compiled, **options):
    return f'CAST({compiled.process(element.clauses, **options)} AS BINARY)'


def _is(tag):
    return _Bytes(_tag.c.tag) == _Bytes(sqlalchemy.literal(tag))


def configured_tag():
    """Return the tag, or None if the option is not set."""
    return cfg.CONF.heat_extras.delete_protection_tag or None


def tag_of_stack(session, stack_id):
    """Return the tag if a stack has it now, else None."""
    tag = configured_tag()
    if tag is None:
        return None
    return session.scalar(sqlalchemy.select(_tag.c.tag).where(
        _tag.c.stack_id == stack_id, _is(tag)).limit(1))


def is_absent():
    """Return the criterion for an UPDATE of the stack table.

    Nested stacks are protected by the tag of their root only.
    """
    tag = configured_tag()
    if tag is None:
        return sqlalchemy.true()
    return models.Stack.owner_id.is_not(None) | ~sqlalchemy.exists().where(
        _tag.c.stack_id == models.Stack.id, _is(tag))


def keep_tag(stack, updated, args=None):
    """Keep the tag if the request does not name tags.

    Heat would remove all tags (EngineService._prepare_stack_updates,
    Stack.restore_data).

    :param stack: the current heat.engine.stack.Stack.
    :param updated: the stack after the update.
    :param args: of the request. As for Heat, null names no tags.
    """
    if not _counts(stack) or (args or {}).get(rpc_api.STACK_TAGS) is not None:
        return
    updated.heat_extras_keeps_tag = True
    if configured_tag() in stack.tags:
        _add(updated)


def write_tag_early(stack, updated):
    """Write the tag at the start of a legacy update.

    Heat answers before it writes tags (Stack.update_task), and writes none if
    a policy or a plugin rejects the update. The stack was loaded before this
    update has StackLock.

    :param stack: the current stack.
    :param updated: the stack after the update.
    """
    if not _counts(stack):
        return
    found = [each.tag for each in stack_tag.StackTagList.get(
        stack.context, stack.id) or ()]
    if configured_tag() in found and getattr(updated, 'heat_extras_keeps_tag',
                                             False):
        _add(updated)
    if configured_tag() in updated.tags and configured_tag() not in found:
        stack.tags = [*found, configured_tag()]
        stack_tag.StackTagList.set(stack.context, stack.id, stack.tags)
        # Set again, as Heat then considers them stored.
        stack.tags = list(stack.tags)


def insert_tag_with_update(stack, updated):
    """Let the tag come with the UPDATE that begins a convergence update.

    Heat writes tags after it, in another transaction (Stack.store): a
    deletion that came between would meet an update that is accepted, and no
    tag.

    :param stack: as those of :func:`is_asked_for`.
    """
    if not is_asked_for(stack, updated):
        return contextlib.nullcontext()
    return context_vars.override(_coming, stack.id)


def wrapped_stack_update(original, stack_id):
    """Return how to update a stack, and to write the tag with that.

    :param original: Heat's stack_update, which is returned where no tag
        comes.
    """
    if stack_id is None or _coming.get() != stack_id:
        return original

    def write(context, stack_id, values, exp_trvsl=None):
        with db_api.context_manager.writer.using(context) as session:
            is_written = retries.without_retry(original)(
                context, stack_id, values, exp_trvsl=exp_trvsl)
            if is_written and tag_of_stack(session, stack_id) is None:
                session.execute(sqlalchemy.insert(_tag).values(
                    stack_id=stack_id, tag=configured_tag(),
                    created_at=timeutils.utcnow()))
        return is_written
    return retries.on_db_error(write)


def write_tags_if_current(stack):
    """Let an operation write its tags while it is the stack's last one.

    Heat writes them after the UPDATE that begins it, and asks nothing then
    (Stack.store): another operation may have begun, and have brought the tag.
    """
    if not stack.convergence or not _counts(stack):
        return contextlib.nullcontext()
    return context_vars.override(_storing, stack)


def wrapped_tags_write(original, stack_id):
    """Return how to write the tags of a stack.

    :param original: Heat's stack_tags_set or stack_tags_delete, which is
        returned where no convergence operation stores a root.
    """
    stack = _storing.get()
    if stack is None or stack.id != stack_id:
        return original

    def write(context, stack_id, *tags):
        with db_api.context_manager.writer.using(context) as session:
            if not _is_last(session, stack):
                LOG.info('heat-extras: another operation of stack %s has '
                         'begun: the tags of this one are not written',
                         stack.id)
                return None
            return retries.without_retry(original)(context, stack_id, *tags)
    return retries.on_db_error(write)


def _is_last(session, stack):
    # An UPDATE that changes nothing holds the row, on SQLite, too.
    return session.execute(
        sqlalchemy.update(_stack)
        .where(_stack.c.id == stack.id,
               _stack.c.current_traversal == stack.current_traversal)
        .values(current_traversal=stack.current_traversal,
                updated_at=_stack.c.updated_at)).rowcount == 1


def is_asked_for(stack, updated):
    """Return whether a request names the tag for a root stack.

    :param updated: what the stack is to become, or None.
    """
    return (updated is not None and _counts(stack)
            and not getattr(updated, 'heat_extras_keeps_tag', False)
            and configured_tag() in updated.tags)


def _counts(stack):
    return configured_tag() is not None and stack.owner_id is None


def _add(updated):
    if configured_tag() not in updated.tags:
        updated.tags = [*updated.tags, configured_tag()]


def is_shown(info):
    """Return whether a stack, as Heat shows it, has the tag that protects."""
    tag = configured_tag()
    return (tag is not None and not info.get(rpc_api.STACK_PARENT)
            and tag in (info.get(rpc_api.STACK_TAGS) or ()))
