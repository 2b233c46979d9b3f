# SPDX-License-Identifier: Apache-2.0

"""Repeat writes that lost a row, and run each transaction of a lock once.

Some functions of heat.db.api have a decorator that repeats them. If a
connection or a node of Galera fails during a commit, the transaction of a lock
might be committed. A second attempt would then be rejected because of the
first: for example, the stack is already locked. The first lock would also not
be continued. So each of these transactions writes an event, and a retry first
searches for the events of earlier attempts.
"""

import contextlib
import functools

from heat.db import api as db_api
from heat.db import models
from oslo_db import exception as db_exception
import sqlalchemy

from heat_extras.db import connection_errors


def on_db_error(write):
    """Decorate a writer that is repeated after a database error.

    It repeats the write also after errors that Heat's retry_on_db_error does
    not recognize, such as the error of a Galera node without quorum.
    """
    @functools.wraps(write)
    def attempt(*args, **kwargs):
        try:
            return write(*args, **kwargs)
        except Exception as error:
            if connection_errors.is_unavailable(error):
                raise db_exception.RetryRequest(error) from error
            raise
    return functools.wraps(write)(db_api.retry_on_db_error(attempt))


def retry_write(write, context, *args):
    """Call a writer, and repeat it if it lost a row to another transaction.

    Heat does so only for some of its writers, but each of them can lose a row
    to a lock. It is not repeated inside of a caller's transaction, which is
    lost as a whole.
    """
    if not is_in_transaction(context):
        write = on_db_error(write)
    return write(context, *args)


def without_retry(write):
    """Return a writer without Heat's own retries.

    Use it inside of a transaction: when the database has ended the
    transaction, a retry would write only the last part of it.
    """
    if getattr(write, '__code__', None) is _RETRYING_CODE:
        return write.__wrapped__
    return write


_RETRYING_CODE = db_api.retry_on_db_error(retry_write).__code__


def is_in_transaction(context):
    """Return whether a write belongs to a transaction of a caller."""
    return getattr(context, 'session', None) is not None


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

        @on_db_error
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
