# SPDX-License-Identifier: Apache-2.0

"""Restore the state of a stack whose DELETE or SUSPEND was denied.

The status is DELETE_FAILED or SUSPEND_FAILED, so that clients which wait for
the action see its end. Heat rejects updates of such a stack, because it may
be partly deleted or suspended
(heat.engine.service.EngineService.update_stack). But after a denial the stack
is complete. So its next update first restores the previous state.
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
    """Return the state of a stack before an action.

    :param stack: a heat.engine.stack.Stack, as it was loaded.
    :returns: action and status, or None if Heat allows updates after a failed
        *action*.
    """
    if action not in _ACTIONS or stack.id is None:
        return None
    denied = _find_denied(stack.context, stack)
    if denied:
        return denied.prior
    # The action stops an operation in progress.
    return (stack.action, _FAILED if stack.status == _IN_PROGRESS
            else stack.status)


def _find_denied(context, stack):
    if stack.action in _ACTIONS and stack.status == _FAILED:
        return operation_table.find_denied(context, stack)
    return None


def process_update(request, proceed):
    """Update a stack, also after an action that was denied.

    :param proceed: continues with the request.
    """
    try:
        return proceed()
    except dispatcher.ExpectedException as error:
        if not isinstance(error.exc_info[1], exception.NotSupported):
            raise
        if not _restore_state(request.context, request.identity['stack_id']):
            raise
    return proceed()


@retries.on_db_error
def _restore_state(context, stack_id):
    row = stack_object.Stack.get_by_id(context, stack_id, eager_load=False)
    denied = row is not None and _find_denied(context, row)
    if not denied:
        return False
    action, status = denied.prior
    # The row has no prior state if another delete has started and failed.
    is_complete = sqlalchemy.exists().where(
        _table.c.id == denied.id, _table.c.prior.is_not(None))
    with db_api.context_manager.writer.independent.using(context) as session:
        return bool(session.execute(
            sqlalchemy.update(_stack).where(
                _stack.c.id == stack_id, _stack.c.action == row.action,
                _stack.c.status == row.status, is_complete)
            .values(action=action, status=status)).rowcount)
