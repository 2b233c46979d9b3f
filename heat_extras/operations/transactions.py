# SPDX-License-Identifier: Apache-2.0

"""Run the transactions of locks, each of them once.

If a connection or a node of Galera fails during a commit, the transaction
might be committed. A second attempt would then be rejected because of the
first: for example, the stack is already locked. The first lock would also not
be continued. So each of these transactions writes an event, and a retry first
searches for the events of earlier attempts.
"""

import contextlib
import functools

from heat.db import api as db_api
from heat.db import models
import sqlalchemy

from heat_extras.db import retries

_event = models.Event.__table__

# SQLite always has only one writer at a time.
_READ_COMMITTED = ('mysql', 'mariadb', 'postgresql')


@contextlib.contextmanager
def start(context):
    """Start an independent transaction, even if the caller has another one.

    Use READ COMMITTED, so that the checks see the changes that others
    committed while this transaction waited for rows.
    """
    with db_api.context_manager.writer.independent.using(context) as session:
        if session.get_bind().dialect.name in _READ_COMMITTED:
            session.connection(execution_options={
                'isolation_level': 'READ COMMITTED'})
        yield session


def commit_once(write):
    """Decorate a writer to run it in a transaction, and to retry it.

    It is not retried if an attempt was committed. The decorated function has
    the parameters of the writer without the first, which is the session. The
    next parameter is a context. The writer returns a result with the events
    of its transaction in ``root_events``, or None if it has changed nothing.
    """
    @functools.wraps(write)
    def call(context, *args, **kwargs):
        results = {}

        @retries.on_db_error
        def attempt(context):
            for result in _committed(context, results):
                return result
            try:
                with start(context) as session:
                    result = write(session, context, *args, **kwargs)
                    if result is not None:
                        results[result.root_events[0].row['uuid']] = result
                return result
            except Exception:
                # The commit of an earlier attempt might have ended only now.
                for result in _committed(context, results):
                    return result
                raise
        return attempt(context)
    return call


def _committed(context, results):
    return ([results[each] for each in _existing_events(context, results)]
            if results else [])


def _existing_events(context, ids):
    with db_api.context_manager.reader.independent.using(context) as session:
        return session.scalars(sqlalchemy.select(_event.c.uuid).where(
            _event.c.uuid.in_(list(ids)))).all()
