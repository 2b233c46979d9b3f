# SPDX-License-Identifier: Apache-2.0

"""An update goes through a lock with a pass.

The caller is looked at when the update finds its stack locked; what it says is
wrong costs nothing. Then Heat's first UPDATE of the root, which sets
UPDATE_IN_PROGRESS, uses the pass: in its transaction the level of the lock
moves to ``lock_passing`` in the whole tree, so that Heat's writers find the
tree free, and everybody who asks finds it locked. An update of the legacy
engine writes that in a thread; there it is used as soon as StackLock is held.
"""

import contextvars
import dataclasses

from heat.db import api as db_api
from heat.db import models as heat_models
import sqlalchemy

from heat_extras import context_vars
from heat_extras.db import counters
from heat_extras.db import counting
from heat_extras.db import db_time
from heat_extras.db import models
from heat_extras.db import retries
from heat_extras.stack_lock import events
from heat_extras.stack_lock.lock_pass import record
from heat_extras.stack_lock.lock_pass import words
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock import lock_transaction
from heat_extras.stack_lock import operations
from heat_extras.stack_lock import tree

_lock = models.lock_table
_stack = heat_models.Stack.__table__

_current = contextvars.ContextVar('heat_extras_pass_usage', default=None)


class _Lost(Exception):
    """The pass can't be used any more, or Heat's UPDATE met no row."""


class Usage:
    """What one update of a caller does with a pass, if anything.

    :param context: of the caller's request.
    :ivar stack_id: of the root that it is let to.
    :ivar has_begun: whether the pass is used.
    :ivar is_refused: whether that was for nothing but to say that the update
        is refused.
    """

    def __init__(self, context):
        self.context = context
        self.stack_id = self.lock_id = None
        self.has_begun = self.is_refused = False

    def admit(self, stack_id, lock):
        """Return whether a pass lets the update to a locked root.

        :param lock: its :class:`lock_record.Lock`, in effect.
        """
        if not lock.can_have_pass:
            return False
        with db_api.context_manager.reader.independent.using(
                self.context) as session:
            found = record.of_lock(session, lock.id)
        if not _is_for(found, self.context):
            return False
        self.stack_id, self.lock_id = stack_id, lock.id
        return True

    def is_for(self, stack_id):
        """Return whether the next write to a stack is to use the pass."""
        return self.stack_id == stack_id and not self.has_begun

    def write(self, context, original, stack_id, values, exp_trvsl):
        """Write as Heat's stack_update, and use the pass with it.

        :returns: False, and has written nothing, when it met no row, or the
            pass is none any more.
        """
        try:
            with db_api.context_manager.writer.using(context) as session:
                self._use(session)
                if not retries.within(original)(
                        context, stack_id, values, exp_trvsl=exp_trvsl):
                    raise _Lost()
        except _Lost:
            return False
        self.has_begun = True
        return True

    def take(self):
        """Use the pass by itself.

        :returns: False when it is none any more.
        """
        try:
            self._take()
        except _Lost:
            return False
        self.has_begun = True
        return True

    @retries.on_db_error
    def _take(self):
        with lock_transaction.transaction(self.context) as session:
            self._use(session)

    def _use(self, session):
        rows = tree.stacks(session, tree.stack_ids(session, self.stack_id))
        root = rows.get(self.stack_id)
        lock = (lock_record.UNLOCKED if root is None
                else lock_record.Lock.from_row(root))
        found = record.of_lock(session, self.lock_id, is_held=True)
        if lock.id != self.lock_id or not (
                lock.can_have_pass and _is_for(found, self.context)):
            raise _Lost()
        self._move(session, rows, lock, found)
        counting.add(session, root.id, counters.PASS, counters.USED)
        events.tell(session, root,
                    words.used(record.name_for(root.tenant, found)),
                    is_within=True)

    def _move(self, session, rows, lock, found):
        # Both once more as they were read: on SQLite the transaction begins
        # with the first change.
        changed = session.execute(
            sqlalchemy.update(_stack)
            .where(_stack.c.id.in_(list(rows)), _stack.c.lock_id == lock.id,
                   _stack.c.lock_level == lock.level)
            .values(lock_level=None, lock_passing=lock.level)).rowcount
        used = session.execute(
            sqlalchemy.update(_lock)
            .where(_lock.c.id == lock.id, _lock.c.pass_used_at.is_(None),
                   _lock.c.pass_granted_at == found.pass_granted_at,
                   _lock.c.pass_expires_at > db_time.now())
            .values(pass_used_at=db_time.read(session))).rowcount
        if changed != len(rows) or not used:
            raise _Lost()


def by(context):
    """Say that this thread updates a stack for a caller."""
    return context_vars.override(_current, Usage(context))


def admits(stack, lock, operation):
    """Return whether this thread's update is let to a locked stack.

    :param stack: a heat.objects.stack.Stack.
    """
    found = _current.get()
    return (found is not None and operation == operations.UPDATE
            and stack.owner_id is None and found.admit(stack.id, lock))


def is_ahead(stack_id):
    """Return whether this thread has a pass for a stack, not used yet."""
    return _of(stack_id) is not None


def beginning(stack_id):
    """Return how to write what uses a pass, if the next write does.

    :returns: a function like Heat's stack_update, which takes that, too; or
        None.
    """
    found = _of(stack_id)
    return None if found is None else found.write


def take(stack):
    """Use the pass now, where this thread has one for a stack.

    :param stack: a heat.engine.stack.Stack.
    :returns: whether it has done so.
    """
    found = _of(stack.id)
    if found is None or not found.take():
        return False
    note(stack)
    return True


def take_to_refuse(stack):
    """Let the mark of an update that does not begin be written.

    A policy refuses it before its first write.
    """
    found = _of(stack.id)
    if (found is not None and stack.status == stack.FAILED
            and take(stack)):
        found.is_refused = True


def note(stack):
    """Let a heat.engine.stack.Stack know that its pass is used.

    Before it comes to other threads, which ask it at the end.
    """
    found = _current.get()
    if found is not None and found.has_begun and found.stack_id == stack.id:
        stack.heat_extras_lock = dataclasses.replace(
            lock_record.of(stack), is_passing=True)


def _of(stack_id):
    found = _current.get()
    if found is None or stack_id is None or not found.is_for(stack_id):
        return None
    return found


def _is_for(found, context):
    return (found is not None and found.pass_used_at is None
            and record.holder_of(found).is_one(context))
