# SPDX-License-Identifier: Apache-2.0

"""The right to continue a lock or unlock, and late calls of services.

``reset-lock`` supersedes the operation. Other engines also supersede it if
this engine has not reported for too long. If a call of a service ends after
that, the resource is changed to the current state of the tree.
"""

import dataclasses
import time

from heat.common import context as heat_context
from heat.db import api as db_api
from heat.db import models as heat_models
import sqlalchemy

from heat_extras.db import connection_errors
from heat_extras.db import models
from heat_extras.stack_lock.resource_locks import protection_states
from heat_extras.stack_lock.resource_locks import protection_table
from heat_extras.stack_lock import states

_protection = models.protection_table
_stack = heat_models.Stack.__table__
_guard = models.guard_table

# Seconds between checks of a lock or unlock in progress, and the maximum wait
# for its end. After this, the current state of the tree counts.
_PAUSE = 1
_LONGEST_WAIT = 3600


class Superseded(Exception):
    """Another lock or unlock is in progress, or none."""


@dataclasses.dataclass(frozen=True)
class Token:
    """The lock or unlock in progress that this engine has started.

    :param operation_id: the ID in the result of the transaction that started
        it.
    :param has_credentials: whether services are called with the credentials
        of *context*, and not with the credentials that Heat stores for each
        stack.
    """

    context: heat_context.RequestContext
    root_id: str
    operation_id: str
    has_credentials: bool = True

    def check(self):
        """Check that the operation is still in progress.

        :raises Superseded: if it is not in progress.
        """
        if not self._is_valid():
            self._raise_superseded()

    # Wait for the database, because only this engine knows of a late call.
    @connection_errors.retry_until_available
    def is_superseded(self):
        """Return whether another request has ended the operation."""
        return not self._is_valid()

    def _is_valid(self):
        with db_api.context_manager.reader.independent.using(
                self.context) as session:
            return session.execute(
                sqlalchemy.select(_guard.c.id).where(*self._is_own())
            ).first() is not None

    def hold(self, session):
        """Keep the operation in progress until the transaction ends.

        :raises Superseded: if it is not in progress.
        """
        # Use a write, because a read can return an older row.
        if not session.execute(
                sqlalchemy.update(_guard).where(*self._is_own())
                .values(operation_id=self.operation_id)).rowcount:
            self._raise_superseded()

    def _is_own(self):
        return (_guard.c.stack_id == self.root_id,
                _guard.c.status == states.IN_PROGRESS,
                _guard.c.operation_id == self.operation_id)

    def _raise_superseded(self):
        raise Superseded(
            f'lock operation {self.operation_id} of stack {self.root_id} is '
            'no longer in progress: it was reset, or this engine was '
            'considered down')


@connection_errors.retry_until_available
def is_protection_wanted(token, resource_id, is_protected):
    """Return whether the current lock of a tree requires a protection.

    Wait for a lock or unlock in progress, because it can change the result.

    :param is_protected: whether a call of *token* has protected the resource.
        A lock that found it protected then owns this protection.
    """
    deadline = time.monotonic() + _LONGEST_WAIT
    while True:
        row = _read_state(token, resource_id)
        if row is None or row.lock_level != states.ALL:
            return False
        if (row.status != states.IN_PROGRESS
                or time.monotonic() > deadline):
            break
        time.sleep(_PAUSE)
    if is_protected and row.state == protection_states.FOUND:
        protection_table.claim_found(token.context, resource_id)
        return True
    # A failed unlock does not change it, and the next unlock releases it.
    return row.state in protection_states.OWN and (
        is_protected or row.action == states.LOCK)


def _read_state(token, resource_id):
    with db_api.context_manager.reader.independent.using(
            token.context) as session:
        return session.execute(
            sqlalchemy.select(_stack.c.lock_level, _guard.c.action,
                              _guard.c.status, _protection.c.state)
            .outerjoin_from(_stack, _guard, _guard.c.id == _stack.c.lock_id)
            .outerjoin(_protection, _protection.c.resource_id == resource_id)
            .where(_stack.c.id == token.root_id,
                   _stack.c.deleted_at.is_(None))).first()
