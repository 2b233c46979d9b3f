# SPDX-License-Identifier: Apache-2.0

"""The right to go on with a lock or unlock, which can be withdrawn.

An operator's ``reset-lock`` does that, and other engines do when this one has
not reported for too long. Somebody else decides over the tree from then on.
"""

import dataclasses

from heat.common import context as heat_context
from heat.db import api as db_api
from heat.db import models
import sqlalchemy

from heat_extras.stack_lock.resource_locks import words
from heat_extras.stack_lock import states

_stack = models.Stack.__table__


class Withdrawn(Exception):
    """The lock or unlock in progress is not the one that was begun here."""


@dataclasses.dataclass(frozen=True)
class Mandate:
    """What the engine that has begun a lock or unlock holds.

    :param operation_id: :attr:`heat_extras.stack_lock.lock_transaction.Outcome
        .operation_id` of its begin.
    :param has_credentials: whether services are asked as *context* says; if
        not, with the credentials that Heat keeps for each stack.
    """

    context: heat_context.RequestContext
    root_id: str
    operation_id: str
    has_credentials: bool = True

    def check(self):
        """Go on only while it is valid.

        :raises Withdrawn: when it is not.
        """
        if not self.is_valid():
            self._raise()

    def is_valid(self):
        """Return whether it is, at this moment."""
        with db_api.context_manager.reader.independent.using(
                self.context) as session:
            return session.execute(
                sqlalchemy.select(_stack.c.id).where(*self._is_own())
            ).first() is not None

    def hold(self, session):
        """Keep it valid until the transaction of *session* ends.

        :raises Withdrawn: when it is not.
        """
        # A write, since a database may show a reader an older row.
        if not session.execute(
                sqlalchemy.update(_stack).where(*self._is_own())
                .values(lock_operation_id=self.operation_id)).rowcount:
            self._raise()

    def _is_own(self):
        return (_stack.c.id == self.root_id,
                _stack.c.lock_status == states.IN_PROGRESS,
                _stack.c.lock_operation_id == self.operation_id)

    def _raise(self):
        raise Withdrawn(words.withdrawn(self.root_id, self.operation_id))
