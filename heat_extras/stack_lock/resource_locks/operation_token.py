# SPDX-License-Identifier: Apache-2.0

"""The right to continue a lock or unlock, and calls that outlive it.

An operator's ``reset-lock`` takes it away, and so do other engines when this
one has not reported for too long. Others decide over the tree from then on. A
call to a service that was on its way, since the engine or the service hung, is
brought to what the tree wants by then.
"""

import dataclasses
import time

from heat.common import context as heat_context
from heat.db import api as db_api
from heat.db import models as heat_models
from oslo_log import log as logging
import sqlalchemy

from heat_extras.db import connection_errors
from heat_extras.db import retries
from heat_extras import sanitize
from heat_extras.stack_lock.resource_locks import protection_table
from heat_extras.stack_lock.resource_locks import states
from heat_extras.stack_lock import states as lock_states

LOG = logging.getLogger(__name__)

_stack = heat_models.Stack.__table__

# Seconds between checks of a lock or unlock that is in progress, and how long
# one is waited for; then the tree counts as it is.
_PAUSE = 1
_LONGEST_WAIT = 3600
# A lock can begin or end between a check and the act that it leads to.
_ROUNDS = 5


class Superseded(Exception):
    """The lock or unlock in progress is not the one that was begun here."""


@dataclasses.dataclass(frozen=True)
class Token:
    """What the engine that has begun a lock or unlock holds.

    :param operation_id: as in the result of the transaction that started it.
    :param has_credentials: whether services are asked as *context* says; if
        not, with the credentials that Heat keeps for each stack.
    """

    context: heat_context.RequestContext
    root_id: str
    operation_id: str
    has_credentials: bool = True

    def check(self):
        """Go on only while it is valid.

        :raises Superseded: when it is not.
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

    # Nobody else knows what a late call has done.
    @connection_errors.wait_out
    def is_superseded(self):
        """Return whether it is not valid any more, once a database answers."""
        return not self.is_valid()

    def hold(self, session):
        """Keep it valid until the transaction of *session* ends.

        :raises Superseded: when it is not.
        """
        # A write, since a database may show a reader an older row.
        if not session.execute(
                sqlalchemy.update(_stack).where(*self._is_own())
                .values(lock_operation_id=self.operation_id)).rowcount:
            self._raise()

    def _is_own(self):
        return (_stack.c.id == self.root_id,
                _stack.c.lock_status == lock_states.IN_PROGRESS,
                _stack.c.lock_operation_id == self.operation_id)

    def _raise(self):
        raise Superseded(
            f'the lock operation in progress on stack {self.root_id} is no '
            f'longer {self.operation_id}, which this engine has begun: it was '
            'reset, or this engine was considered down')


def reconcile_late_call(token, resource, is_protected, change):
    """Bring a resource to what its tree wants after a call that came too late.

    Protected, if a lock counts on that; free, if none does, for no unlock
    would ever release it.

    :param is_protected: what the late call has made of it.
    :param change: called with the resource and whether to protect it; returns
        whether somebody else protects it by now, who is left alone.
    """
    # A lock that looked while it was protected took it for somebody else's.
    was_protected = is_protected
    try:
        for _ in range(_ROUNDS):
            is_wanted = _is_wanted(token, resource, is_protected,
                                   was_protected)
            if is_wanted == is_protected:
                return
            _log_change(resource, is_wanted)
            if change(resource, is_wanted):
                return
            is_protected = is_wanted
            was_protected = was_protected or is_protected
    except Exception:
        LOG.exception(
            '%(type)s %(name)s (%(id)s) of stack %(stack)s was left %(state)s '
            'by a call that came too late, and could not be brought back; do '
            'that at its service',
            {'type': resource.type(), 'name': resource.name,
             'id': resource.resource_id, 'stack': resource.stack.name,
             'state': 'protected' if is_protected else 'free'})


def _log_change(resource, is_wanted):
    LOG.warning('%(name)s (%(id)s) of stack %(stack)s is %(verb)s: a call of '
                'a lock operation that was taken away came too late',
                {'name': sanitize.printable(resource.name),
                 'id': sanitize.printable(resource.resource_id),
                 'stack': resource.stack.name,
                 'verb': 'protected' if is_wanted else 'released'})


@connection_errors.wait_out
def _is_wanted(token, resource, *done):
    deadline = time.monotonic() + _LONGEST_WAIT
    while time.monotonic() < deadline:
        is_wanted = _is_wanted_now(token.context, token.root_id, resource,
                                   *done)
        if is_wanted is not None:
            return is_wanted
        time.sleep(_PAUSE)
    is_protected, _ = done
    return is_protected


@retries.on_db_error
def _is_wanted_now(context, root_id, resource, *done):
    # None: a lock or unlock is in progress, which may change that.
    with db_api.context_manager.writer.independent.using(context) as session:
        root = _root(session, root_id)
        if root is not None and root.lock_status == lock_states.IN_PROGRESS:
            return None
        return _judge(session, root, resource, *done)


def _root(session, root_id):
    return session.execute(
        sqlalchemy.select(_stack.c.lock_level, _stack.c.lock_action,
                          _stack.c.lock_status)
        .where(_stack.c.id == root_id, _stack.c.deleted_at.is_(None))
        .with_for_update()).first()


def _judge(session, root, resource, is_protected, was_protected):
    if root is None or root.lock_level != lock_states.ALL:
        return False
    row = protection_table.of_resource(session, resource.id)
    if row is None:
        return False
    if root.lock_action == lock_states.UNLOCK:
        # The next unlock looks at what is ours.
        return is_protected and row.state in states.OURS
    # Whether a lock that is complete takes it for protected.
    if not (was_protected or row.state in states.OURS):
        return False
    # Before its service is asked: a crash leaves no lock behind that nobody
    # knows of.
    protection_table.set_state(
        session, resource.id,
        states.PROTECTED if is_protected else states.LOCKING)
    return True
