# SPDX-License-Identifier: Apache-2.0

"""A deletion that is about to begin, so that no protection comes before it.

Heat ends what runs in a stack before its UPDATE sets DELETE_IN_PROGRESS:
convergence stops the traversal (EngineService.delete_stack), the legacy
engine cancels the threads of who has StackLock. A deletion that is refused
must not have done that. So it first claims the root, in a transaction that
refuses on a protected one; and no protection is set beside a claim. A
deletion that ends nothing needs none: its own UPDATE asks for the protection.

Claims are rows, as several can be under way; those of dead engines count for
nothing. Who was taken for dead, and goes on, finds that with its next UPDATE
(:mod:`delete_intent`).
"""

import contextlib
import contextvars
import weakref

from heat.common import context as heat_context
from heat.common import service_utils
from heat.db import api as db_api
from heat.db import models as heat_models
from oslo_db import exception as db_exception
from oslo_log import log as logging
from oslo_utils import timeutils
from oslo_utils import uuidutils
import sqlalchemy

from heat_extras import context_vars
from heat_extras.db import live_engines
from heat_extras.db import models
from heat_extras.db import retries
from heat_extras.stack_lock.delete_protection import protection
from heat_extras.stack_lock.delete_protection import tag
from heat_extras.stack_lock import lock_transaction
from heat_extras.stack_lock import request_context
from heat_extras.stack_lock import states

LOG = logging.getLogger(__name__)

_stack = heat_models.Stack.__table__
_claim = models.delete_claim_table

_under_way = contextvars.ContextVar('heat_extras_delete_claim', default=None)

# Those of this process by their ids; who is to end one refers to it.
_held = weakref.WeakValueDictionary()


class DeleteIntent:
    """What one deletion holds of a root, if anything.

    :param engine_id: of the engine that deletes.
    :ivar has_begun: whether the database shows the deletion by now.
    :ivar has_written: whether it has written anything at all to a stack.
    :ivar is_to_wait: whether it goes on in another thread, which waits for
        what it has cancelled. Nothing else that is started meanwhile, like
        the telling of plugins, ends it.
    """

    def __init__(self, engine_id):
        # A service that is not started has none; no engine is called so.
        self._engine_id = engine_id or 'unknown'
        self._id = None
        self._is_handed_on = False
        self.has_begun = self.has_written = self.is_to_wait = False

    @property
    def id(self):
        """Of its row, until the deletion has begun."""
        return None if self.has_begun else self._id

    def take(self, context, root_id):
        """Hold the protection away from a root, or find it there.

        :returns: the :class:`protection.Protection` that is there; it is
            not taken then.
        """
        if self._id is not None:
            return protection.NONE
        claim_id = uuidutils.generate_uuid()
        _held[claim_id] = self
        found, self._id = _take(context, root_id, self._engine_id, claim_id)
        return found

    def hand_on(self, function, operation):
        """Let the claim end with a function that runs in another thread."""
        if self.id is None or self._is_handed_on or not self.is_to_wait:
            return function
        self._is_handed_on = True

        def run(*args, **kwargs):
            with (self._ending(), context_vars.override(_under_way, self),
                  request_context.set_operation(operation)):
                return function(*args, **kwargs)
        return run

    @contextlib.contextmanager
    def _ending(self):
        try:
            yield
        finally:
            self._give_up()

    def end(self):
        """Give it up, unless another thread does."""
        if self._id is not None and not self._is_handed_on:
            self._give_up()

    def _give_up(self):
        _held.pop(self._id, None)
        try:
            _delete(_claim.c.id == self._id)
        except Exception:
            LOG.exception('The claim of a deletion could not be given up; '
                          'with the next report of this engine it is')


@contextlib.contextmanager
def delete_context(engine_id):
    """Say that this thread deletes a stack, and let claims end with it."""
    claim = DeleteIntent(engine_id)
    try:
        with context_vars.override(_under_way, claim):
            yield claim
    finally:
        claim.end()


def record_update(values, is_written):
    """Note that this thread's deletion has updated a stack, or has begun.

    :param values: what it writes.
    :param is_written: its answer, which is returned.
    """
    claim = _under_way.get()
    if claim is not None and is_written:
        claim.has_written = True
        claim.has_begun |= begins_deletion(values)
    return is_written


def begins_deletion(values):
    """Return whether the UPDATE of a stack begins a deletion."""
    return (values.get('action'), values.get('status')) == (
        protection.DELETE, states.IN_PROGRESS)


def release_in_thread(function):
    """Let what another thread runs for a deletion end its claim.

    What it begins there, it begins as the deletion of this thread.
    """
    claim = _under_way.get()
    operation = request_context.get_operation()
    if claim is None or operation is None:
        return function
    return claim.hand_on(function, operation)


def current_intent():
    """Return the :class:`DeleteIntent` of this thread, or None."""
    return _under_way.get()


def own_intent():
    """Return the intent that this thread has not carried out, or None."""
    claim = _under_way.get()
    return None if claim is None or claim.id is None else claim


@retries.on_db_error
def _take(context, root_id, engine_id, claim_id):
    with lock_transaction.transaction(context) as session:
        touch_root(session, root_id, claim_id)
        row = session.execute(
            sqlalchemy.select(_stack).where(_stack.c.id == root_id)).first()
        if row is None:
            return protection.NONE, None
        found = read_protection(session, row)
        if found.is_there:
            session.rollback()
            return found, None
        try:
            session.execute(sqlalchemy.insert(_claim).values(
                id=claim_id, stack_id=root_id, engine_id=engine_id,
                claimed_at=timeutils.utcnow()))
        except db_exception.DBDuplicateEntry:
            # An attempt before was done, and its answer was lost.
            session.rollback()
    return found, claim_id


def read_protection(session, row):
    """Return what protects a root from deletion now.

    :param row: of the root, which this transaction holds.
    """
    return protection.tagged(
        protection.Protection.from_row(row),
        tag.tag_of_stack(session, row.id))


def touch_root(session, root_id, value):
    """Change the row of a root, so that one transaction has it at a time.

    First of all, as SQLite has a transaction from its first change on, and to
    another value, as a cluster compares nothing but what changes.
    """
    session.execute(sqlalchemy.update(_stack).where(_stack.c.id == root_id)
                    .values(delete_claim=value))


@retries.on_db_error
def _delete(which):
    context = heat_context.RequestContext(is_admin=True, overwrite=False)
    with lock_transaction.transaction(context) as session:
        session.execute(sqlalchemy.delete(_claim).where(which))


def engines_deleting(session, root_id):
    """List the ids of the engines that have claimed a root."""
    return set(session.scalars(
        sqlalchemy.select(_claim.c.engine_id)
        .where(_claim.c.stack_id == root_id)))


def delete_of_dead_engines(context, own_id):
    """Remove the claims of engines that are dead.

    They neither report nor answer: one that is only slow could end what runs
    after the protection.
    """
    with lock_transaction.transaction(context) as session:
        found = set(session.scalars(
            sqlalchemy.select(_claim.c.engine_id).distinct())) - {own_id}
        if found:
            found -= {row.engine_id for row in live_engines.read_live(session)}
    dead = [each for each in found
            if not service_utils.engine_alive(context, each)]
    if dead:
        _delete(_claim.c.engine_id.in_(dead))


def delete_lost(service):
    """Remove the claims of an engine that nobody is to end any more.

    The database was away then, or their thread was stopped before it ran.
    Called at every report.
    """
    try:
        _delete_lost(service.engine_id)
    except Exception as error:
        LOG.error('heat-extras: claims of deletions could not be looked '
                  'for: %s', error)


def _delete_lost(engine_id):
    context = heat_context.RequestContext(is_admin=True, overwrite=False)
    with db_api.context_manager.reader.independent.using(context) as session:
        found = set(session.scalars(
            sqlalchemy.select(_claim.c.id)
            .where(_claim.c.engine_id == engine_id)))
    # In this order: a claim is known here before its row is there.
    lost = found - set(_held)
    if lost:
        _delete(_claim.c.id.in_(lost))


def update_criteria(values):
    """Return what it asks for, as expressions; none of most.

    :param values: what the UPDATE writes.
    """
    begins, own = begins_deletion(values), own_intent()
    if own is None:
        return (_unprotected(), _untagged()) if begins else ()
    if own.has_written:
        # What was ended in part would stay so for ever.
        return (_unprotected(),) if begins else ()
    return (_unprotected(), sqlalchemy.exists().where(_claim.c.id == own.id))


def _unprotected():
    return heat_models.Stack.delete_protection_id.is_(None)


def _untagged():
    # The legacy engine writes twice that it begins (Stack.delete).
    stack = heat_models.Stack
    return tag.is_absent() | sqlalchemy.and_(
        stack.action == protection.DELETE, stack.status == states.IN_PROGRESS)
