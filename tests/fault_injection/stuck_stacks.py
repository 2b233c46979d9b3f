# SPDX-License-Identifier: Apache-2.0

"""Find the stacks that are stuck after all faults are repaired, and why.

A stack is stuck because of Heat if Heat's rows show an operation in progress
on a running engine, but no engine works on it. Heat without heat-extras has
the same defect: these stacks are counted, and the test does not fail. A stack
is stuck because of heat-extras if

- a lock was accepted because the stack was idle, no operation was requested
  later, and an operation is in progress,
- a lock, an unlock or a delete intent stays in progress, or the table of locks
  has another lock than the stack,
- a lock is rejected, and the reason is not an operation in progress,
- an unlock is rejected, or a part of the lock remains, or a protection cannot
  be removed,
- an update is rejected although the stack is not locked, or is accepted and
  does not start,
- a lock is not removed after its expiration, or not in effect again after an
  update with a lock pass,
- a stack was deleted although no deletion was accepted, or
- a deletion is rejected, or does not finish although Heat has no operation in
  progress.
"""

import sqlalchemy

from tests.fault_injection import user as users
from tests.harness import waiting

_SECONDS = 30
_DELETE_SECONDS = 60
_UPDATE_SECONDS = 30
# A failed unlock is retried after one minute, and then after two minutes.
END_SECONDS = 200
# If an engine was killed, the deletion is requested again, as users do.
_DELETIONS = 2


class StuckStacks:
    """Wait until the stacks of a user are idle, lock, unlock and delete.

    :param locks: whether locks were used; otherwise only Heat operations.
    :ivar of_heat: sentences about stacks that are stuck because of Heat.
    :ivar of_ours: sentences about stacks stuck because of heat-extras.
    """

    def __init__(self, user, database, locks=True, seconds=_SECONDS,
                 end_seconds=END_SECONDS):
        self._user = user
        self._database = database
        self._locks = locks
        self._seconds = seconds
        self._end_seconds = end_seconds
        self.of_heat = []
        self.of_ours = []

    def inspect(self):
        """Check all stacks; returns itself."""
        for path in self._user.paths:
            if self._left(path):
                self._look(path)
                self._delete(path)
            elif path not in self._user.deleted:
                self.of_ours.append(
                    f'{path} is gone, and nobody has deleted it')
        return self

    def _look(self, path):
        # A deletion of these stacks is in progress, or has failed.
        is_deleted = path in self._user.deleted
        if self._locks:
            self._end(path)
            self._lift(path)
        busy = not is_deleted and self._settle(path)
        if self._locks and not is_deleted:
            self._lock(path, busy)

    def _end(self, path):
        """Wait for the operations that engines start by themselves."""
        stack_id = path.rpartition('/')[2]
        if path in self._user.ending and waiting.last(
                lambda: self._database.lock_id(stack_id),
                lambda value: value is None, self._end_seconds):
            self.of_ours.append(f'{path}: the end of its lock has come, and '
                                'it is not lifted')
        if self._left_over(self._open, stack_id):
            busy = self._database.of_heat(stack_id)
            blamed = self.of_heat if busy else self.of_ours
            blamed.append(f'{path}: its lock lets an update through that is '
                          f'over: {busy}')

    def _open(self, stack_id):
        return any(passing for _, passing in self._database.levels(stack_id))

    def _settle(self, path):
        busy, broken = (
            self._left_over(find, path.rpartition('/')[2])
            for find in (self._database.of_heat, self._database.of_locks))
        self.of_ours += [f'{path}: {each}' for each in broken]
        if busy and path in self._user.at_rest:
            self.of_ours.append(
                f'{path} was at rest when it was locked, and nothing was '
                f'asked for since: {busy}')
        elif busy:
            self.of_heat.append(f'{path} does not end: {busy}')
        return busy

    def _left_over(self, find, stack_id):
        return waiting.last(lambda: find(stack_id),
                            lambda value: not value, self._seconds)

    def _act(self, path, name, fields=None):
        return self._user.ask('POST', path + '/actions', {name: fields})

    def _lift(self, path):
        # A lock without a response may exist.
        lock_id = self._database.lock_id(path.rpartition('/')[2])
        if lock_id is not None:
            self._unlock(path, {'id': lock_id})

    def _lock(self, path, busy):
        status, text = self._act(path, 'lock', {'level': 'stacks'})
        if status == 200:
            self._unlock(path, None)
            self._update(path)
        elif not (status == 409 and busy and _names_what_is_busy(text)):
            self.of_ours.append(f'lock of {path} was answered {status}: '
                                f'{text}, and Heat has {busy}')

    def _unlock(self, path, fields):
        status, text = self._act(path, 'unlock', fields)
        if status != 200:
            self.of_ours.append(
                f'unlock of {path} was answered {status}: {text}')
        levels = self._database.levels(path.rpartition('/')[2])
        if levels - {(None, None)}:
            self.of_ours.append(
                f'{path} was unlocked, and its stacks have the levels '
                f'{levels}')

    def _update(self, path):
        # The lock was accepted, so the stack is idle.
        stack_id, since = path.rpartition('/')[2], self._database.last_event()
        status, text = self._user.ask('PUT', path, users.change('last'))
        if status != 202:
            if self._left(path)[0] != 'SUSPEND':
                self.of_ours.append(
                    f'update of {path} was answered {status}: {text}')
            return
        # A deletion during the first write is rejected.
        if not waiting.last(lambda: self._database.begun(stack_id, since),
                            bool, _UPDATE_SECONDS):
            self.of_ours.append(
                f'update of {path} was accepted, and has not begun')
        waiting.last(lambda: self._database.of_heat(stack_id),
                     lambda value: not value, _UPDATE_SECONDS)

    def _unprotect(self, path):
        if self._database.kept(path.rpartition('/')[2])[0] is None:
            return
        status, text = self._act(path, 'unprotect')
        if status not in (200, 404):
            self.of_ours.append(
                f'unprotect of {path} was answered {status}: {text}')

    def _delete(self, path):
        for _ in range(_DELETIONS):
            if self._locks:
                # A protection without a response may exist.
                self._unprotect(path)
            status, text = self._user.ask('DELETE', path)
            if status not in (204, 404):
                self.of_ours.append(
                    f'delete of {path} was answered {status}: {text}')
                return
            state = waiting.last(lambda: self._left(path),
                                 lambda value: not value, _DELETE_SECONDS)
            if not state:
                return
        busy = self._database.of_heat(path.rpartition('/')[2])
        # Report the deletion that was accepted but did not finish.
        blamed = self.of_heat if busy else self.of_ours
        blamed.append(f'{path} is not deleted, {state}: {busy}')

    def _left(self, path):
        with self._database.reader() as connection:
            row = connection.execute(sqlalchemy.text(
                'SELECT action, status, status_reason FROM stack WHERE '
                'id = :id AND deleted_at IS NULL'),
                {'id': path.rpartition('/')[2]}).first()
        return row and tuple(row)


def _names_what_is_busy(text):
    # A stack or resource with its status, or a StackLock with its engine.
    return '_IN_PROGRESS' in text or 'worked on' in text
