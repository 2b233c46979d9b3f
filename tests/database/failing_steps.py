# SPDX-License-Identifier: Apache-2.0

"""A transaction that fails at a step of its own choice.

A step is a statement, or the commit. The errors are those that a node of
Galera was seen to answer with, in its words.
"""

import dataclasses

import fixtures
import pymysql
import sqlalchemy


@dataclasses.dataclass(frozen=True)
class Error:
    """An error that a client receives.

    :param number: of MariaDB, or of the client.
    :param is_cut: whether the connection is over with it.
    :param is_late: whether a commit is done, and only its answer is lost.
    """

    number: int
    text: str
    is_cut: bool = False
    is_late: bool = False


# Another node has changed the same rows; the view of the cluster changes; a
# node has no quorum; it lost that at a commit; it was killed.
CERTIFICATION = Error(1213, 'Deadlock: wsrep aborted transaction')
VIEW = Error(1205, 'Lock wait timeout exceeded; try restarting transaction')
NO_QUORUM = Error(1047, 'WSREP has not yet prepared node for application use')
AT_COMMIT = Error(1180, 'Error while appending streaming replication fragment'
                        '(provider status: Not connected to Primary '
                        'Component)')
CUT = Error(2013, 'Lost connection to MySQL server during query', is_cut=True)
LATE = dataclasses.replace(CUT, is_late=True)


class FailingStep(fixtures.Fixture):
    """Let one step fail.

    :param engine: whose connections fail.
    :param number: of the step, from 1; 0: none fails.
    :ivar count: how many steps there were.
    :ivar commits: the numbers of those that were commits.
    """

    def __init__(self, engine, number=0, error=None):
        super().__init__()
        self._engine = engine
        self._number = number
        self._error = error
        self.count = 0
        self.commits = []

    def _setUp(self):
        self._commit = self._engine.dialect.do_commit
        self.useFixture(fixtures.MockPatchObject(
            self._engine.dialect, 'do_commit', self._do_commit))
        for name in ('do_execute', 'do_executemany'):
            arguments = (self._engine, name, self._do_statement)
            sqlalchemy.event.listen(*arguments)
            self.addCleanup(sqlalchemy.event.remove, *arguments)

    def _do_statement(self, cursor, statement, parameters, context):
        self._step(cursor.connection)

    def _do_commit(self, connection):
        self.commits.append(self.count + 1)
        if self._error is not None and self._error.is_late:
            self._commit(connection)
        self._step(connection)
        self._commit(connection)

    def _step(self, connection):
        self.count += 1
        if self.count != self._number:
            return
        # Earlier changes of the transaction are lost.
        getattr(connection, 'driver_connection', connection).rollback()
        if self._error.is_cut:
            getattr(connection, 'driver_connection', connection)._force_close()
        raise pymysql.err.OperationalError(
            self._error.number, self._error.text)
