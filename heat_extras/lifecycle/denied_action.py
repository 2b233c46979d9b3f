# SPDX-License-Identifier: Apache-2.0

"""Operations that were refused before they began: what the stack still is.

It shows DELETE_FAILED or SUSPEND_FAILED then, for all who wait for the end
of the action, and Heat updates no stack that was left so, since it may be
half of one (heat.engine.service.EngineService.update_stack). This one is
whole: it gets back the state that it had when its next update comes.
"""

import hashlib

from heat.common import exception
from heat.db import api as db_api
from heat.db import models as heat_models
from heat.objects import stack as stack_object
from oslo_db import exception as db_exception
from oslo_messaging.rpc import dispatcher
import sqlalchemy

from heat_extras.db import charset
from heat_extras.db import models
from heat_extras.db import retries
from heat_extras.lifecycle import operation_table

_ACTIONS = ('DELETE', 'SUSPEND')
_FAILED, _IN_PROGRESS = 'FAILED', 'IN_PROGRESS'

_table = models.unbegun_table
_stack = heat_models.Stack.__table__


def state_before(stack, action):
    """Return what a stack is before an action.

    :param stack: a heat.engine.stack.Stack, as it was loaded.
    :returns: action and status, or None where nobody will ask.
    """
    if action not in _ACTIONS or stack.id is None:
        return None
    found = _found(stack.context, stack) or _being_refused(stack)
    if found:
        return found
    # What was under way is over, whatever becomes of this action.
    return (stack.action, _FAILED if stack.status == _IN_PROGRESS
            else stack.status)


def forget(stack, action):
    """Forget what was noted of a stack: another action comes to it.

    What becomes of that may be told in the same words. Called when the
    action shows in the database, and before anything is done: one that is
    overtaken before that changes nothing, and must not forget anything.
    """
    if action in _ACTIONS and stack.id is not None:
        _forget(stack.context, stack.id)


def record_denial(stack, action, reason, found):
    """Note that an action was refused before it began.

    :param reason: that the stack shows.
    :param found: what :func:`state_before` has found.
    """
    if action in _ACTIONS and found is not None:
        _replace(stack.context, {
            'stack_id': stack.id, 'action': action,
            'reason_digest': _digest(reason), 'prior': list(found)})


@retries.on_db_error
def _replace(context, values):
    try:
        with db_api.context_manager.writer.independent.using(
                context) as session:
            _delete(session, values['stack_id'])
            session.execute(sqlalchemy.insert(_table).values(values))
    except db_exception.DBDuplicateEntry as error:
        # Another engine noted its refusal at the same moment.
        raise db_exception.DBDeadlock() from error


def update_stack(context, identity, update_stack):
    """Update a stack, also after something that it did not begin with.

    :param identity: of the stack, as in RPC.
    :param update_stack: Heat's own way to do it; takes nothing.
    """
    try:
        return update_stack()
    except dispatcher.ExpectedException as error:
        if not isinstance(error.exc_info[1], exception.NotSupported):
            raise
        if not _restore(context, identity['stack_id']):
            raise
    return update_stack()


@retries.on_db_error
def _restore(context, stack_id):
    row = stack_object.Stack.get_by_id(context, stack_id, eager_load=False)
    found = row is not None and _found(context, row)
    if not found:
        return False
    action, status = found
    # Another delete may have begun, and failed, meanwhile.
    is_noted = sqlalchemy.exists().where(
        _table.c.stack_id == stack_id,
        _table.c.reason_digest == _digest(row.status_reason))
    with db_api.context_manager.writer.independent.using(context) as session:
        return bool(session.execute(
            sqlalchemy.update(_stack).where(
                _stack.c.id == stack_id, _stack.c.action == row.action,
                _stack.c.status == row.status, is_noted)
            .values(action=action, status=status)).rowcount)


def _found(context, stack):
    with db_api.context_manager.reader.independent.using(context) as session:
        noted = session.execute(sqlalchemy.select(_table).where(
            _table.c.stack_id == stack.id)).first()
    if noted is None or (noted.action, _FAILED, noted.reason_digest) != (
            stack.action, stack.status, _digest(stack.status_reason)):
        return None
    return tuple(noted.prior)


def _being_refused(stack):
    # The stack shows it, and the note comes next, see
    # convergence.fail_not_begun().
    if stack.status != _FAILED or not stack.current_traversal:
        return None
    operation = operation_table.find(
        stack.context, stack.id, stack.current_traversal,
        operation_table.NOT_BEGUN)
    return operation and operation.prior


@retries.on_db_error
def _forget(context, stack_id):
    with db_api.context_manager.writer.independent.using(context) as session:
        _delete(session, stack_id)


def _delete(session, stack_id):
    session.execute(sqlalchemy.delete(_table).where(
        _table.c.stack_id == stack_id))


def _digest(reason):
    # As it is stored.
    return hashlib.sha256(
        (charset.storable(reason) or '').encode()).hexdigest()
