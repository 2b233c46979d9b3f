# SPDX-License-Identifier: Apache-2.0

"""The tag that protects a root from deletion, if the operator names one.

Users set and remove the tag with a create or update, so clients without
support for heat-extras can protect a stack. The tag is not copied.
"""

from heat.db import models
from heat.objects import stack_tag
from heat.rpc import api as rpc_api
from oslo_config import cfg
import sqlalchemy

_tag = models.StackTag.__table__

# MySQL and MariaDB would compare "Keep" and "keep " as equal to "keep".
_EXACT = sqlalchemy.LargeBinary().with_variant(
    sqlalchemy.String(), 'postgresql', 'sqlite')


def _is(tag):
    return sqlalchemy.cast(_tag.c.tag, _EXACT) == sqlalchemy.cast(
        sqlalchemy.literal(tag, sqlalchemy.String()), _EXACT)


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
