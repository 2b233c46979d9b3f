# SPDX-License-Identifier: Apache-2.0

"""Protect a tree from deletion, and remove the protection."""

import functools

from heat.common import exception
from heat.db import models as heat_models
from oslo_log import log as logging
from oslo_utils import timeutils
from oslo_utils import uuidutils
import sqlalchemy

from heat_extras.db import charset
from heat_extras.heat_internals import caller
from heat_extras.heat_internals import heartbeat
from heat_extras import sanitize
from heat_extras.stack_lock import commit_retry
from heat_extras.stack_lock.delete_protection import delete_intent
from heat_extras.stack_lock.delete_protection import protection
from heat_extras.stack_lock import engine_check
from heat_extras.stack_lock import errors
from heat_extras.stack_lock import events
from heat_extras.stack_lock import lock_request
from heat_extras.stack_lock import lock_transaction
from heat_extras.stack_lock import messages
from heat_extras.stack_lock import override_policy
from heat_extras.stack_lock import states

LOG = logging.getLogger(__name__)

_stack = heat_models.Stack.__table__

_OVERRIDE = 'unprotect_override'

COLUMNS = ('delete_protection_id', 'delete_protection_reason',
           'delete_protected_by', 'delete_protected_by_project',
           'delete_protection_rank', 'delete_protected_at')


def protect(service, context, stack_identity, reason=None):
    """Protect a tree from deletion, or change the reason.

    :param service: the heat.engine.service.EngineService of the request.
    :raises StackLockConflict: if the tree is being deleted, or if an engine
        would not enforce the protection.
    """
    lock_request.validate_reason('protection reason', reason)
    root = lock_request.load_root(service, context, stack_identity, 'protect')
    engine_check.check_all_guarded(
        context, 'No stack can be protected from deletion')
    down = heartbeat.find_down(
        context, delete_intent.read_engines_deleting(context, root.id))
    outcome = _write_protection(
        context, root, _new_values(context, reason),
        functools.partial(_check_no_deletion, down=down), states.PROTECT, (
            'Stack is protected from deletion'
            + sanitize.after_colon(sanitize.none_if_blank(reason))))
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
        context, root, dict.fromkeys(COLUMNS), _check_is_protected,
        states.UNPROTECT, 'Stack is no longer protected from deletion')
    events.notify(service, context, outcome, states.UNPROTECT)
    LOG.info('%(name)s (%(id)s) is no longer protected from deletion',
             {'name': root.name, 'id': root.id})


def _new_values(context, reason):
    # Remaining intents are of engines that are down.
    return {'delete_intents': None} | dict(zip(COLUMNS, (
        uuidutils.generate_uuid(), sanitize.none_if_blank(reason),
        charset.storable_line(caller.printable_name(context)),
        context.project_id, override_policy.rank_of(context, _OVERRIDE),
        timeutils.utcnow()), strict=True))


@commit_retry.committed_once
def _write_protection(context, root, values, check_state, action, reason):
    with lock_transaction.transaction(context) as session:
        row = delete_intent.lock_root_row(session, root.id)
        if row is None or row.deleted_at is not None:
            raise exception.EntityNotFound(entity='Stack', name=root.name)
        current = delete_intent.read_protection(session, row.id, row)
        _check_rank(context, row, current)
        check_state(row, current)
        session.execute(sqlalchemy.update(_stack)
                        .where(_stack.c.id == root.id).values(values))
        return commit_retry.record_outcome(lock_transaction.TransactionResult(
            row, [], events.write_completed(
                session, row, reason, action, why=events.requested_by(
                    row, caller.printable_name(context), context.project_id))))


def _check_rank(context, row, current):
    if (current.rank == states.ADMIN and override_policy.rank_of(
            context, _OVERRIDE) != states.ADMIN):
        raise errors.StackLockForbidden(message=(
            f'Stack {messages.name_and_id(row)} was protected from deletion '
            'by an administrator. Changing or removing this protection '
            f'requires the policy rule "actions:{_OVERRIDE}". Ask an '
            'administrator of this cloud.'))


def _check_no_deletion(row, current, down):
    if ((row.action == protection.DELETE and row.status != states.FAILED)
            or delete_intent.engines_deleting(row) - down):
        raise errors.StackLockConflict(message=(
            f'Stack {messages.name_and_id(row)} cannot be protected from '
            'deletion: this stack or a stack nested in it is being deleted. '
            'The stack was not protected. If the stack still exists after the '
            'deletion, try again.'))


def _check_is_protected(row, current):
    if current.id is None and current.tag is not None:
        raise errors.StackLockConflict(message=current.describe(
            messages.name_and_id(row), row.name, None))
    if not current.is_set:
        raise errors.StackLockConflict(
            message=f'Stack {messages.name_and_id(row)} is not protected from '
                    'deletion.')
