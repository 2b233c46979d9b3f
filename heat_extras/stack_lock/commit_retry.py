# SPDX-License-Identifier: Apache-2.0

"""Transactions that may be done although their commit was not answered.

A connection that ends, or a node of Galera that does, takes the answer along.
What was to be written is tried again then, and would be refused because of
itself: a lock would be in the way of itself, and if services were to be asked,
nobody would go on with it. So the event that each of these transactions writes
is looked for first.
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
    """What each attempt of one call has come to, before its commit."""

    def __init__(self):
        self._ids = []
        self._outcomes = {}

    def write(self, event_id):
        self._ids.append(event_id)

    def end(self, outcome):
        # One that writes no event has changed nothing.
        if self._ids:
            self._outcomes[self._ids[-1]] = outcome

    def done(self, context):
        """Return the outcomes of the attempts whose events are there."""
        if not self._outcomes:
            return []
        return [self._outcomes[each] for each
                in self._found(context, list(self._outcomes))]

    def _found(self, context, ids):
        with db_api.context_manager.reader.independent.using(
                context) as session:
            return session.scalars(sqlalchemy.select(_event.c.uuid).where(
                _event.c.uuid.in_(ids))).all()


def committed_once(write):
    """Decorate a writer that is tried again, unless it is done.

    It takes a context first, writes events, and ends its transaction with
    :func:`record_outcome`.
    """
    @functools.wraps(write)
    def call(context, *args, **kwargs):
        attempts = _Attempts()

        @retries.on_db_error
        def attempt(context):
            done = attempts.done(context)
            if done:
                return done[0]
            try:
                with context_vars.override(_current, attempts):
                    return write(context, *args, **kwargs)
            except Exception:
                # Its commit may have been under way until now.
                done = attempts.done(context)
                if done:
                    return done[0]
                raise
        return attempt(context)
    return call


def record_event_id(event_id):
    """Note the id of an event that is written now."""
    attempts = _current.get()
    if attempts is not None:
        attempts.write(event_id)


def record_outcome(outcome):
    """Note what comes of an attempt whose commit follows; returns it."""
    attempts = _current.get()
    if attempts is not None:
        attempts.end(outcome)
    return outcome
