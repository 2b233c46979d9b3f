# SPDX-License-Identifier: Apache-2.0

"""Count the calls and statements of a process, which are exact.

The numbers of function calls and of database statements are the same on a busy
machine.
"""

import itertools
import json
import socket
import sys
import threading

import sqlalchemy

_STATEMENTS = ('SELECT', 'UPDATE', 'INSERT', 'DELETE', 'WITH')


class CounterServer:
    """Count from now on, and send the counts to each client.

    :param path: of the socket.
    """

    def __init__(self, path):
        # Incremented by all threads, without a lock.
        self._calls, self._statements = itertools.count(), itertools.count()
        self._asked = 0
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.bind(path)
        self._socket.listen()
        # Start before the other threads, so that this one is not counted.
        threading.Thread(target=self._serve, daemon=True).start()
        sqlalchemy.event.listen(sqlalchemy.Engine, 'before_cursor_execute',
                                self._note_statement)
        threading.setprofile(self._note)
        sys.setprofile(self._note)

    def _note(self, frame, event, arg):
        if event == 'call':
            next(self._calls)

    def _note_statement(self, connection, cursor, statement, *more):
        text = statement.lstrip()
        if text.startswith(_STATEMENTS) and text != 'SELECT 1':
            next(self._statements)

    def _serve(self):
        while True:
            client, _address = self._socket.accept()
            with client:
                # This query is also counted.
                counts = [next(count) - self._asked for count in (
                    self._calls, self._statements)]
                self._asked += 1
                client.sendall(json.dumps(counts).encode())


def read_counts(path):
    """Return the numbers of calls and statements."""
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(path)
        with client.makefile() as source:
            return json.load(source)
