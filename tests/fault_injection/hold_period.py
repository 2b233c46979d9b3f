# SPDX-License-Identifier: Apache-2.0

"""The hold period of a lock, from its response 200 until unlock is sent.

During this period, the lock exists, and nothing that it protects changes. No
engine works on a resource.
Other requests are rejected because of the lock, and add no events of started
operations. Timeouts and server errors are not checked.

After the response to unlock, the lock exists nowhere.
"""

import time

import psycopg2
import pymysql
import sqlalchemy

from tests.harness import waiting
from tests.stress import database_state

# SQLAlchemy does not convert errors of drivers when it prepares a connection.
AWAY = (sqlalchemy.exc.SQLAlchemyError, pymysql.err.MySQLError,
        psycopg2.Error)
_BACK_SECONDS = 60


def unless_away(find):
    """Return what is found, or None while the database is unavailable."""
    try:
        return find()
    except AWAY:
        return None


def lifted(database, path, lock_id):
    """Find the places where a lock remains after its unlock.

    :returns: sentences.
    """
    # IDs are not reused: a lock that is set later has another ID.
    row = waiting.last(
        lambda: unless_away(lambda: database.holding(
            path.rpartition('/')[2], lock_id)),
        lambda row: row is not None, _BACK_SECONDS)
    return [f'{path} was unlocked, and of the lock {lock_id}: {each}'
            for each in row or ()]


class HoldPeriod:
    """Check a stack tree while it is locked.

    :param database: a :class:`picture.Database`.
    :param path: the path of the root stack.
    :param lock_id: the ID of the lock in the response.
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
        """Check the response to an operation."""
        if 0 < status < 500 and not (
                status == 409 and 'StackLocked' in text):
            self._note(f'{name} was answered {status}: {text}')

    def look(self):
        """Compare the stack tree with its first state."""
        after = self._seen()
        if self._before is None or after is None:
            return
        self.span = self._since, time.monotonic()
        for each in database_state.changes(self._before, after):
            self._note(each)

    def _seen(self):
        # Changes while the database is unavailable are found later.
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
        for (table, row_id, *column), value in picture.items():
            if column == ['engine_id'] and value is not None:
                self._note(f'{table} {row_id} is held by engine {value}')
        return picture

    def _note(self, text):
        text = f'{self._path} was locked, and {text}'
        if text not in self.violations:
            self.violations.append(text)
