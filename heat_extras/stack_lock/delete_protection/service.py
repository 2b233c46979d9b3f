# SPDX-License-Identifier: Apache-2.0

"""Protect a tree from deletion, and remove the protection."""

import dataclasses
import functools

from heat.common import exception
from heat.db import api as db_api
from heat.db import models as heat_models
from oslo_log import log as logging
from oslo_utils import timeutils
from oslo_utils import uuidutils
import sqlalchemy

from heat_extras.db import charset
from heat_extras.db import models
from heat_extras.db import transactions
from heat_extras.heat_internals import caller
from heat_extras.heat_internals import guarded_stacks
from heat_extras.heat_internals import heartbeat
from heat_extras.heat_internals import object_data
from heat_extras import sanitize
from heat_extras.stack_lock.delete_protection import delete_intent
from heat_extras.stack_lock.delete_protection import protection
from heat_extras.stack_lock.delete_protection import protection_tag
from heat_extras.stack_lock import errors
from heat_extras.stack_lock import events
from heat_extras.stack_lock import guard_row
from heat_extras.stack_lock import lock_request
from heat_extras.stack_lock import lock_transaction
from heat_extras.stack_lock import messages
from heat_extras.stack_lock import override_policy
from heat_extras.stack_lock import states
from heat_extras.stack_lock import tree_rows

LOG = logging.getLogger(__name__)

_stack = heat_models.Stack.__table__


def protect(service, context, stack_identity, named=None, replace=False,
            resources=False):
    """Protect a tree from deletion, or change the reason.

    An existing protection keeps its reason if the request has no reason. It
    always keeps the protection of the resources: only :func:`unprotect`
    removes that, with its own policy rule.

    :param service: the heat.engine.service.EngineService of the request.
    :param named: a dict, which can have the ``reason``.
    :param resources: whether updates must not replace or remove resources.
    :param replace: whether to replace the protection, even if another user has
        set it.
    :raises StackLockConflict: if another user has protected the tree, if the
        tree is being deleted, or if an engine would not enforce the
        protection.
    """
    named = named or {}
    reason = named.get('reason')
    lock_request.validate_reason('protection reason', reason)
    lock_request.check_boolean('replace', replace)
    lock_request.check_boolean('resources', resources)
    root = lock_request.load_root(service, context, stack_identity, 'protect')
    lock_request.check_all_guarded(
        context, 'No stack can be protected from deletion')
    if resources:
        lock_request.check_all_guarded(
            context, 'The resources of a stack cannot be protected',
            'update_policy', 'reject updates that replace or remove resources')
    down = heartbeat.find_down(
        context, delete_intent.read_engines_deleting(context, root.id))
    values = _new_values(context, reason)
    if not (named or replace):
        del values['reason']
    if resources:
        values['level'] = protection.WITH_RESOURCES
    outcome = _write_protection(
        context, root, values, functools.partial(
            _check_protect, context, down=down, replace=replace),
        states.PROTECT, 'Stack is protected from deletion')
    events.notify(service, context, outcome, states.PROTECT)
    LOG.info('Protected %(name)s (%(id)s) from deletion',
             {'name': root.name, 'id': root.id})


def unprotect(service, context, stack_identity):
    """Remove the protection of a tree from deletion.

    :raises StackLockConflict: if the tree is not protected.
    """
    root = lock_request.load_root(service, context, stack_identity,
                                  'unprotect')
    outcome = _write_protection(
        context, root, None, _check_is_protected,
        states.UNPROTECT, 'Stack is no longer protected from deletion')
    events.notify(service, context, outcome, states.UNPROTECT)
    LOG.info('%(name)s (%(id)s) is no longer protected from deletion',
             {'name': root.name, 'id': root.id})


def find_resource_protection(stack, updated=None):
    """Return the :class:`heat_extras.guard.ResourceProtection`, or None.

    An update that adds or removes the tag is checked as with the tag.

    :param stack: a heat.engine.stack.Stack of the tree.
    :param updated: the stack after the update that starts, or None.
    """
    columns = object_data.of_stack(stack).columns
    tag = protection_tag.resource_tag()
    if columns.delete_protection_id is None and tag is None:
        return None
    root = guarded_stacks.read_root(stack.context, stack)
    with db_api.context_manager.reader.independent.using(
            stack.context) as session:
        found = delete_intent.read_protection(
            session, root.id, columns if root is stack else root)
    if tag is not None and found.tag != tag and (
            tag in protection_tag.requested_tags(stack, updated)
            or protection_tag.is_being_removed(stack.context, root.id)):
        found = dataclasses.replace(found, tag=tag, tag_has_resources=True)
    return found.of_resources(root.name)


def _new_values(context, reason):
    return {'id': uuidutils.generate_uuid(),
            'reason': sanitize.none_if_blank(reason),
            'set_by': charset.storable_line(caller.printable_name(context)),
            'set_by_id': caller.user_id(context),
            'set_by_project': context.project_id,
            'rank': override_policy.rank_of(context, protection.Protection),
            'set_at': timeutils.utcnow()}


@transactions.commit_once
def _write_protection(session, context, root, values, check_state, action,
                      reason):
    row = delete_intent.lock_root_row(session, root.id)
    if row is None or row.deleted_at is not None:
        raise exception.EntityNotFound(entity='Stack', name=root.name)
    current = delete_intent.read_protection(session, row.id, row)
    override_policy.check(context, row, current)
    check_state(row, current)
    shown = _replace_row(session, row, current, values)
    return lock_transaction.TransactionResult(
        row, [], events.write_completed(
            session, row, reason + shown, action, why=events.requested_by(
                row, caller.printable_name(context), context.project_id)))


def _replace_row(session, row, current, values):
    """Write the protection, or delete it if there are no values.

    :returns: the extent and the reason, for the event.
    """
    guard_row.delete(session, row.id, models.DELETE_PROTECTION)
    changed = {'delete_protection_id': None}
    if values is not None:
        level = protection.WITH_RESOURCES if current.has_resources else None
        values = {'reason': current.reason, 'level': level, **values}
        if values['level'] is not None:
            _protect_resources(session, row, not current.has_resources)
        guard_row.insert(session, row, models.DELETE_PROTECTION, **values)
        # Remaining intents are of engines that are down.
        changed = {'delete_protection_id': values['id'],
                   'delete_intents': None}
    session.execute(sqlalchemy.update(_stack)
                    .where(_stack.c.id == row.id).values(changed))
    if values is None:
        return ''
    extent = (', and its resources from updates' if values['level'] is not None
              else '')
    return extent + sanitize.after_colon(values['reason'])


def _check_protect(context, row, current, down, replace):
    if (current.id is not None and not replace
            and not current.is_set_by(caller.user_id(context))):
        raise errors.StackLockConflict(message=(
            f'Stack {messages.name_and_id(row)} is protected from deletion by '
            f'{current.summary(context.project_id)}. The protection was not '
            'changed. To replace this protection: openstack stack protect '
            f'--replace {row.name} ("replace": true).'))
    if ((row.action == protection.DELETE and row.status != states.FAILED)
            or delete_intent.engines_deleting(row) - down):
        raise errors.StackLockConflict(message=(
            f'Stack {messages.name_and_id(row)} cannot be protected from '
            'deletion: this stack or a stack nested in it is being deleted. '
            'The stack was not protected. If the stack still exists after the '
            'deletion, try again.'))


def _protect_resources(session, row, is_new):
    """Let the engines check each update of a tree.

    :param is_new: whether the resources were not protected before.
    :raises StackLockConflict: if an operation is in progress, because it has
        perhaps been checked already.
    """
    ids = tree_rows.stack_ids(session, row.id)
    if is_new:
        rows = tree_rows.select_for_update(session, ids)
        blockers = (tree_rows.held_stack_locks(session, rows)
                    or tree_rows.find_blockers(session, rows))
        if blockers:
            raise errors.StackLockConflict(message=(
                f'The resources of stack {messages.name_and_id(row)} cannot '
                f'be protected: {blockers[0].text}. The protection was not '
                'changed. Try again when the operation is complete.'))
    session.execute(sqlalchemy.update(_stack).where(_stack.c.id.in_(ids))
                    .values(has_update_policy=True))


def _check_is_protected(row, current):
    if current.id is None and current.tag is not None:
        raise errors.StackLockConflict(message=current.describe(
            messages.name_and_id(row), row.name, None))
    if not current.is_set:
        raise errors.StackLockConflict(
            message=f'Stack {messages.name_and_id(row)} is not protected from '
                    'deletion.')
