# SPDX-License-Identifier: Apache-2.0

"""Which SQL statements a piece of code sends."""

import time

import fixtures
import sqlalchemy

_COUNTED = ('SELECT', 'UPDATE', 'INSERT', 'DELETE', 'WITH')


class _Listener(fixtures.Fixture):
    """Note each statement that is sent through an engine.

    :cvar event: before or after it was sent.
    """

    event = 'before_cursor_execute'

    def __init__(self, engine):
        super().__init__()
        self._engine = engine

    def _setUp(self):
        arguments = (self._engine, self.event, self._note)
        sqlalchemy.event.listen(*arguments)
        self.addCleanup(sqlalchemy.event.remove, *arguments)


class Statements(_Listener):
    """Collect what is sent through an engine, a bulk insert as one.

    :param beginnings: which statements count.
    :ivar sent: the statements, without those that only keep the
        connection.
    """

    def __init__(self, engine, beginnings=_COUNTED):
        super().__init__(engine)
        self._beginnings = beginnings
        self.sent = []

    def _note(self, connection, cursor, statement, parameters, context,
              executemany):
        text = statement.lstrip()
        if text.startswith(self._beginnings) and text != 'SELECT 1':
            self.sent.append(text)


class Plans(_Listener):
    """Ask the database how it answers what is read through an engine.

    :ivar read: the statements, with their parameters.
    """

    def __init__(self, engine):
        super().__init__(engine)
        self.read = []

    def _note(self, connection, cursor, statement, parameters, context,
              executemany):
        if statement.lstrip().startswith('SELECT') and parameters:
            self.read.append((statement, parameters))

    def explain(self):
        """Return the text of the plan of each statement."""
        with self._engine.connect() as connection:
            return [str(connection.exec_driver_sql(
                f'EXPLAIN {statement}', parameters).mappings().all())
                for statement, parameters in list(self.read)]


class Widths(_Listener):
    """Count the columns of each answer that comes through an engine.

    :ivar columns: how many each had, without those that only keep the
        connection.
    """

    event = 'after_cursor_execute'

    def __init__(self, engine):
        super().__init__(engine)
        self.columns = []

    def _note(self, connection, cursor, statement, parameters, context,
              executemany):
        if statement.startswith('SELECT') and statement != 'SELECT 1':
            self.columns.append(len(cursor.description))


class Durations(fixtures.Fixture):
    """Add up how long some statements take.

    :param beginnings: which statements count.
    :ivar seconds: how long they took together.
    """

    def __init__(self, engine, beginnings):
        super().__init__()
        self._engine = engine
        self._beginnings = beginnings
        self._began = None
        self.seconds = 0

    def _setUp(self):
        for name, listener in (('before_cursor_execute', self._begin),
                               ('after_cursor_execute', self._end)):
            sqlalchemy.event.listen(self._engine, name, listener)
            self.addCleanup(
                sqlalchemy.event.remove, self._engine, name, listener)

    def _begin(self, connection, cursor, statement, parameters, context,
               executemany):
        self._began = time.monotonic()

    def _end(self, connection, cursor, statement, parameters, context,
             executemany):
        if statement.lstrip().startswith(self._beginnings):
            self.seconds += time.monotonic() - self._began
