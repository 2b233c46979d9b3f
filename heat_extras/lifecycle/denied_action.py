# SPDX-License-Identifier: Apache-2.0

"""The state of a stack whose DELETE or SUSPEND was denied.

The stack shows DELETE_FAILED or SUSPEND_FAILED then, for all who wait for the
end of the action, and Heat updates no such stack, since it may be half
deleted or half suspended (heat.engine.service.EngineService.update_stack).
This stack is whole: it gets back the state that it had when its next update
comes.
"""

from heat.common import exception
from heat.db import api as db_api
from heat.db import models as heat_models
from heat.objects import stack as stack_object
from oslo_messaging.rpc import dispatcher
import sqlalchemy

from heat_extras.db import models
from heat_extras.db import retries
from heat_extras.lifecycle import operation_table

_ACTIONS = ('DELETE', 'SUSPEND')
_FAILED, _IN_PROGRESS = 'FAILED', 'IN_PROGRESS'

_table = models.operation_table
_stack = heat_models.Stack.__table__


def state_before(stack, action):
    """Return what a stack is before an action.

    :param stack: a heat.engine.stack.Stack, as it was loaded.
    :returns: action and status, or None for an action after which Heat
        updates the stack.
    """
    if action not in _ACTIONS or stack.id is None:
        return None
    denied = _find(stack.context, stack)
    if denied:
        return denied.prior
    # Whatever becomes of this action, what was in progress has ended.
    return (stack.action, _FAILED if stack.status == _IN_PROGRESS
            else stack.status)


def _find(context, stack):
    if stack.action in _ACTIONS and stack.status == _FAILED:
        return operation_table.find_denied(context, stack)
    return None


def update_stack(context, identity, update_stack):
    """Update a stack, also after an action that was denied.

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
    denied = row is not None and _find(context, row)
    if not denied:
        return False
    action, status = denied.prior
    # Another delete may have begun, and failed, meanwhile.
    is_whole = sqlalchemy.exists().where(
        _table.c.id == denied.id, _table.c.prior.is_not(None))
    with db_api.context_manager.writer.independent.using(context) as session:
        return bool(session.execute(
            sqlalchemy.update(_stack).where(
                _stack.c.id == stack_id, _stack.c.action == row.action,
                _stack.c.status == row.status, is_whole)
            .values(action=action, status=status)).rowcount)
