# SPDX-License-Identifier: Apache-2.0

"""The statements of lock transactions, and the time of their row locks.

It runs in the measured process, and writes a line of JSON per call of one
of the engine's methods.
"""

import functools
import json
import threading
import time

from heat.db import api as db_api
from heat.engine import stack
import sqlalchemy

from heat_extras.plan import preview
from heat_extras.update_policy import update_check

METHODS = ('stack_lock', 'stack_unlock', 'list_stack_locks')
VALIDATE, PLAN, PREVIEW = 'validate', 'find_violations', 'plan_body'

_COUNTED = ('SELECT', 'UPDATE', 'INSERT', 'DELETE', 'WITH')
# The sandbox starts each transaction on SQLite with the write lock.
_LOCKING = ('UPDATE', 'INSERT', 'DELETE', 'BEGIN')


class _Call(threading.local):
    """The statements of this thread since the start of the method."""

    active = False

    def begin(self):
        self.active = True
        self.statements = 0
        self.first_lock = None
        self.held = []

    def note_statement(self, text):
        self.statements += text.startswith(_COUNTED) and text != 'SELECT 1'
        if self.first_lock is None and (text.startswith(_LOCKING)
                                        or ' FOR UPDATE' in text):
            self.first_lock = time.perf_counter()

    def note_end(self):
        if self.first_lock is not None:
            self.held.append(time.perf_counter() - self.first_lock)
            self.first_lock = None


class Recorder:
    """Listen to Heat's database connections.

    :param path: the file to append to.
    """

    def __init__(self, path):
        self._path = path
        self._call = _Call()
        db_api.context_manager.append_on_engine_create(self._listen)

    def watch(self, engine):
        """Record the calls of those engine methods that exist.

        :param engine: :class:`heat.engine.service.EngineService`.
        """
        for name in METHODS:
            if hasattr(engine, name):
                # The RPC dispatcher looks it up for each call.
                setattr(engine, name,
                        self._recorded(getattr(engine, name), name))

    def watch_updates(self):
        """Record how an update is validated and planned."""
        original = stack.Stack.validate
        recorded = self._recorded(original, VALIDATE)

        @functools.wraps(original)
        def validate(validated, *args, **kwargs):
            # Heat validates nested stacks inside the root.
            chosen = original if validated.owner_id else recorded
            return chosen(validated, *args, **kwargs)

        stack.Stack.validate = validate
        update_check.find_violations = self._recorded(
            update_check.find_violations, PLAN)
        preview.plan_body = self._recorded(preview.plan_body, PREVIEW)

    def _listen(self, engine):
        sqlalchemy.event.listen(
            engine, 'before_cursor_execute', self._before_execute)
        for name in ('do_commit', 'do_rollback'):
            setattr(engine.dialect, name,
                    self._ending(getattr(engine.dialect, name)))

    def _before_execute(self, connection, cursor, statement, parameters,
                        context, executemany):
        if self._call.active:
            self._call.note_statement(statement.lstrip())

    def _ending(self, original):
        # The events of SQLAlchemy come before the commit, not after it.
        @functools.wraps(original)
        def ending(dbapi_connection):
            original(dbapi_connection)
            if self._call.active:
                self._call.note_end()
        return ending

    def _recorded(self, method, name):
        @functools.wraps(method)
        def recorded(*args, **kwargs):
            self._call.begin()
            started = time.perf_counter()
            try:
                return method(*args, **kwargs)
            finally:
                self._call.active = False
                self._write(name, time.perf_counter() - started)
        return recorded

    def _write(self, name, seconds):
        line = json.dumps({
            'method': name, 'seconds': seconds,
            'statements': self._call.statements,
            'held': max(self._call.held, default=0)})
        with open(self._path, 'a') as target:
            target.write(line + '\n')
