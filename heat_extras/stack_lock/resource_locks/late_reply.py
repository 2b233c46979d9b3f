# SPDX-License-Identifier: Apache-2.0

"""A call that came to its end after the lock or unlock it belonged to.

The engine hung over it, or the service did. What the call has done is brought
to what the tree wants now: protected, if a lock counts on that; free, if none
does, for no unlock would ever lift it.
"""

import dataclasses
import time

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

# Seconds between looks at a lock or unlock that is in progress, and how long
# one is waited for; then the tree counts as it is.
_PAUSE = 1
_LONGEST_WAIT = 3600
# A lock can begin or end between a look and the act that it leads to.
_ROUNDS = 5


@dataclasses.dataclass(frozen=True)
class Done:
    """What a late call, and we after it, have done to a resource.

    :ivar is_protected: whether it is protected by that now.
    :ivar was_protected: whether it was since the call came to its end. A lock
        that looked then took it for somebody else's.
    """

    is_protected: bool
    was_protected: bool

    @classmethod
    def by_call(cls, is_protected):
        """Return what a call did that came too late."""
        return cls(is_protected, is_protected)

    def then(self, is_protected):
        """Return what is done when we have brought it to that."""
        return Done(is_protected, self.was_protected or is_protected)

    def is_counted_on(self, state):
        """Return whether a lock that is complete takes it for protected.

        :param state: as that lock has noted it.
        """
        return self.was_protected or state in states.OURS


# Nobody else knows what the call has done.
@connection_errors.wait_out
def is_over(mandate):
    """Return whether the lock or unlock of a mandate goes on no more."""
    return not mandate.is_valid()


def settle(mandate, resource, is_protected, change):
    """Bring a resource to what its tree wants by now.

    :param is_protected: what the late call has made of it.
    :param change: called with the resource and whether to protect it; returns
        whether somebody else protects it by now, who is left alone.
    """
    done = Done.by_call(is_protected)
    try:
        for _ in range(_ROUNDS):
            is_wanted = _is_wanted(mandate, resource, done)
            if is_wanted == done.is_protected:
                return
            _tell(resource, is_wanted)
            if change(resource, is_wanted):
                return
            done = done.then(is_wanted)
    except Exception:
        LOG.exception(
            '%(type)s %(name)s (%(id)s) of stack %(stack)s was left %(state)s '
            'by a call that came too late, and could not be brought back; do '
            'that at its service',
            {'type': resource.type(), 'name': resource.name,
             'id': resource.resource_id, 'stack': resource.stack.name,
             'state': 'protected' if done.is_protected else 'free'})


def _tell(resource, is_wanted):
    LOG.warning('%(name)s (%(id)s) of stack %(stack)s is %(verb)s: a call of '
                'a lock operation that was taken away came too late',
                {'name': sanitize.printable(resource.name),
                 'id': sanitize.printable(resource.resource_id),
                 'stack': resource.stack.name,
                 'verb': 'protected' if is_wanted else 'released'})


@connection_errors.wait_out
def _is_wanted(mandate, resource, done):
    deadline = time.monotonic() + _LONGEST_WAIT
    while time.monotonic() < deadline:
        is_wanted = _is_wanted_now(mandate.context, mandate.root_id, resource,
                                   done)
        if is_wanted is not None:
            return is_wanted
        time.sleep(_PAUSE)
    return done.is_protected


@retries.on_db_error
def _is_wanted_now(context, root_id, resource, done):
    # None: a lock or unlock is in progress, which may change that.
    with db_api.context_manager.writer.independent.using(context) as session:
        root = _root(session, root_id)
        if root is not None and root.lock_status == lock_states.IN_PROGRESS:
            return None
        return _judge(session, root, resource, done)


def _root(session, root_id):
    return session.execute(
        sqlalchemy.select(_stack.c.lock_level, _stack.c.lock_action,
                          _stack.c.lock_status)
        .where(_stack.c.id == root_id, _stack.c.deleted_at.is_(None))
        .with_for_update()).first()


def _judge(session, root, resource, done):
    if root is None or root.lock_level != lock_states.ALL:
        return False
    row = protection_table.of_resource(session, resource.id)
    if row is None:
        return False
    if root.lock_action == lock_states.UNLOCK:
        # The next unlock looks at what is ours.
        return done.is_protected and row.state in states.OURS
    if not done.is_counted_on(row.state):
        return False
    # Before its service is asked: a crash leaves no lock behind that nobody
    # knows of.
    protection_table.claim(
        session, resource.id,
        states.PROTECTED if done.is_protected else states.LOCKING)
    return True
