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
from heat_extras.stack_lock.delete_protection import words
from heat_extras.stack_lock import engine_check
from heat_extras.stack_lock import errors
from heat_extras.stack_lock import events
from heat_extras.stack_lock import lock_request
from heat_extras.stack_lock import lock_transaction
from heat_extras.stack_lock import messages as lock_messages
from heat_extras.stack_lock import override_policy
from heat_extras.stack_lock import states

LOG = logging.getLogger(__name__)

_stack = heat_models.Stack.__table__

COLUMNS = ('delete_protection_id', 'delete_protection_reason',
           'delete_protected_by', 'delete_protected_by_project',
           'delete_protection_rank', 'delete_protected_at')


def protect(service, context, stack_identity, reason=None):
    """Protect a tree from deletion, or change why.

    :param service: the heat.engine.service.EngineService that was asked.
    :raises StackLockConflict: while it is being deleted, or while an engine
        would not honour it.
    """
    lock_request.validate_reason('protection reason', reason)
    root = lock_request.root_row(service, context, stack_identity, 'protect')
    engine_check.check_all_guarded(context, words.NO_PROTECTION)
    down = heartbeat.find_down(
        context, delete_intent.read_engines_deleting(context, root.id))
    outcome = _write(context, root, _values(context, reason),
                     functools.partial(_check_no_deletion, down=down),
                     states.PROTECT, words.protected(sanitize.given(reason)))
    events.notify(service, context, outcome, states.PROTECT)
    LOG.info('Protected %(name)s (%(id)s) from deletion',
             {'name': root.name, 'id': root.id})


def unprotect(service, context, stack_identity):
    """Lift the protection of a tree from deletion.

    :raises StackLockConflict: when there is none.
    """
    root = lock_request.root_row(service, context, stack_identity,
                                 'unprotect')
    outcome = _write(context, root, dict.fromkeys(COLUMNS), _check_is_there,
                     states.UNPROTECT, words.UNPROTECTED)
    events.notify(service, context, outcome, states.UNPROTECT)
    LOG.info('%(name)s (%(id)s) is not protected from deletion any more',
             {'name': root.name, 'id': root.id})


def _values(context, reason):
    # Only engines that are down can have left intents.
    return {'delete_intents': None} | dict(zip(COLUMNS, (
        uuidutils.generate_uuid(), sanitize.given(reason),
        charset.line(caller.name(context)), context.project_id,
        override_policy.protection_rank_of(context),
        timeutils.utcnow()), strict=True))


@commit_retry.committed_once
def _write(context, root, values, check, action, told):
    with lock_transaction.transaction(context) as session:
        row = delete_intent.hold_root(session, root.id)
        if row is None or row.deleted_at is not None:
            raise exception.EntityNotFound(entity='Stack', name=root.name)
        found = delete_intent.read_protection(session, row)
        override_policy.check_protection(context, row, found)
        check(row, found)
        session.execute(sqlalchemy.update(_stack)
                        .where(_stack.c.id == root.id).values(values))
        return commit_retry.record_outcome(lock_transaction.TransactionResult(
            row, [], events.write_done(
                session, row, told, action, why=events.requester(
                    row, caller.name(context), context.project_id))))


def _check_no_deletion(row, found, down):
    if ((row.action == protection.DELETE and row.status != states.FAILED)
            or delete_intent.engines_deleting(row) - down):
        raise errors.StackLockConflict(
            message=words.being_deleted(lock_messages.name_and_id(row)))


def _check_is_there(row, found):
    if found.id is None and found.tag is not None:
        raise errors.StackLockConflict(
            message=found.describe(lock_messages.name_and_id(row), row.name,
                                   None))
    if not found.is_there:
        raise errors.StackLockConflict(
            message=words.not_protected(lock_messages.name_and_id(row)))
