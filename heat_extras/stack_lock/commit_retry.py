# SPDX-License-Identifier: Apache-2.0

"""Retry transactions whose commit might have succeeded without an answer.

If a connection or a node of Galera fails during a commit, the transaction
might be committed. A second attempt would then be rejected because of the
first: for example, the stack is already locked. The first lock would also not
be continued. So each of these transactions writes an event, and a retry first
searches for the events of earlier attempts.
"""

import contextvars
import functools

from heat.db import api as db_api
from heat.db import models
import sqlalchemy

from heat_extras import context_vars
from heat_extras.db import retries

_event = models.Event.__table__

_current = contextvars.ContextVar('heat_extras_attempts', default=None)


class _Attempts:
    """The events and results of all attempts of one call."""

    def __init__(self):
        self._ids = []
        self._outcomes = {}

    def add_event(self, event_id):
        self._ids.append(event_id)

    def set_outcome(self, outcome):
        # An attempt without an event has not changed the database.
        if self._ids:
            self._outcomes[self._ids[-1]] = outcome

    def committed_outcomes(self, context):
        """Return the results of the attempts whose events exist."""
        if not self._outcomes:
            return []
        return [self._outcomes[each] for each
                in self._existing_events(context, list(self._outcomes))]

    def _existing_events(self, context, ids):
        with db_api.context_manager.reader.independent.using(
                context) as session:
            return session.scalars(sqlalchemy.select(_event.c.uuid).where(
                _event.c.uuid.in_(ids))).all()


def committed_once(write):
    """Decorate a writer to retry it, unless an attempt was committed.

    The first parameter of the writer is a context. It writes events, and calls
    :func:`record_outcome` at the end of its transaction.
    """
    @functools.wraps(write)
    def call(context, *args, **kwargs):
        attempts = _Attempts()

        @retries.on_db_error
        def attempt(context):
            done = attempts.committed_outcomes(context)
            if done:
                return done[0]
            try:
                with context_vars.override(_current, attempts):
                    return write(context, *args, **kwargs)
            except Exception:
                # The commit of an earlier attempt might have ended only now.
                done = attempts.committed_outcomes(context)
                if done:
                    return done[0]
                raise
        return attempt(context)
    return call


def record_event_id(event_id):
    """Record the ID of an event that the current attempt writes."""
    attempts = _current.get()
    if attempts is not None:
        attempts.add_event(event_id)


def record_outcome(outcome):
    """Record and return the result of an attempt, before its commit."""
    attempts = _current.get()
    if attempts is not None:
        attempts.set_outcome(outcome)
    return outcome
