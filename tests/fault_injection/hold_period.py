# SPDX-License-Identifier: Apache-2.0

"""Between the 200 to a lock and the moment at which unlock is sent.

The lock is there all the time, nothing it promised to keep changes, and what
is asked for is refused because of it and leaves no event that it has begun. An
answer that did not come, or that is an error of the server, promises nothing.

When unlock is answered the lock is nowhere any more.
"""

import time

import psycopg2
import pymysql
import sqlalchemy

from tests.harness import waiting
from tests.stress import database_state

# The drivers' own come where SQLAlchemy prepares a connection.
AWAY = (sqlalchemy.exc.SQLAlchemyError, pymysql.err.MySQLError,
        psycopg2.Error)
_BACK_SECONDS = 60


def unless_away(find):
    """Return what is found; None while the database is away."""
    try:
        return find()
    except AWAY:
        return None


def lifted(database, path, lock_id):
    """Look where a lock is left whose unlock was answered.

    :returns: sentences.
    """
    # Ids do not return: whatever is set meanwhile is another lock.
    row = waiting.last(
        lambda: unless_away(lambda: database.holding(
            path.rpartition('/')[2], lock_id)),
        lambda row: row is not None, _BACK_SECONDS)
    return [f'{path} was unlocked, and of the lock {lock_id}: {each}'
            for each in row or ()]


class HoldPeriod:
    """Look at a tree while it is locked.

    :param database: a :class:`picture.Database`.
    :param path: of the root.
    :param lock_id: that was answered.
    :ivar span: when it began and when it ended; None when the database could
        not be read then.
    :ivar violations: sentences.
    """

    def __init__(self, database, path, lock_id):
        self._database = database
        self._path = path
        self._stack_id = path.rpartition('/')[2]
        self._lock_id = lock_id
        self._since = time.monotonic()
        self._last_event = None
        self.span = None
        self.violations = []
        self._before = self._seen()

    def judge(self, name, status, text):
        """Judge what an operation was answered."""
        if 0 < status < 500 and not (
                status == 409 and 'StackLocked' in text):
            self._note(f'{name} was answered {status}: {text}')

    def look(self):
        """Compare with what was there at first."""
        after = self._seen()
        if self._before is None or after is None:
            return
        self.span = self._since, time.monotonic()
        for each in database_state.changes(self._before, after):
            self._note(each)

    def _seen(self):
        # What changes while the database is away is seen afterwards.
        return waiting.last(self._try, lambda value: value is not None,
                            _BACK_SECONDS)

    def _try(self):
        try:
            picture = self._database.picture(self._stack_id)
            lock_id = self._database.lock_id(self._stack_id)
            levels = self._database.levels(self._stack_id)
            if self._last_event is None:
                self._last_event = self._database.last_event()
            begun = self._database.begun(self._stack_id, self._last_event)
        except AWAY:
            return None
        if lock_id != self._lock_id:
            self._note(f'the lock {self._lock_id} became {lock_id}')
        if levels != {('stacks', None)}:
            self._note(f'its stacks have the levels {levels}')
        for each in begun:
            self._note(each)
        return picture

    def _note(self, text):
        text = f'{self._path} was locked, and {text}'
        if text not in self.violations:
            self.violations.append(text)
