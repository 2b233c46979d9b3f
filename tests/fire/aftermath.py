# SPDX-License-Identifier: Apache-2.0

"""What is stuck when all is mended, and because of whom.

A stack is Heat's loss when Heat's own rows say that something goes on, with an
engine that lives, and nothing does. Bare Heat has the same; it is counted, and
no failure. It is ours when

- an answer to a lock said that the stack was at rest, and nobody has asked for
  anything since,
- a lock, an unlock or the claim of a deletion is under way for ever, or the
  register of locks has another one than the stack,
- a lock is refused for another reason than what Heat takes for busy,
- an unlock is refused, or
- a deletion is refused, or does not end although Heat is not busy.
"""

import sqlalchemy

from tests.rigs import waiting

_SECONDS = 30
_DELETE_SECONDS = 60
# A deletion that went with an engine is asked for again, as people do.
_DELETIONS = 2


class Aftermath:
    """Bring the stacks of a user to rest, lock, unlock and delete them.

    :param locks: whether they were locked; else only what bare Heat can do.
    :ivar of_heat: sentences on what Heat has lost.
    :ivar of_ours: sentences on what is stuck otherwise.
    """

    def __init__(self, user, database, locks=True, seconds=_SECONDS):
        self._user = user
        self._database = database
        self._locks = locks
        self._seconds = seconds
        self.of_heat = []
        self.of_ours = []

    def inspect(self):
        """Look at all of them; returns itself."""
        for path in self._user.paths:
            if self._locks:
                self._lift(path)
            busy = self._settle(path)
            if self._locks:
                self._lock(path, busy)
            self._delete(path)
        return self

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
                            lambda found: not found, self._seconds)

    def _act(self, path, name, fields=None):
        return self._user.ask('POST', path + '/actions', {name: fields})

    def _lift(self, path):
        # One that got no answer may be there.
        lock_id = self._database.lock_id(path.rpartition('/')[2])
        if lock_id is not None:
            self._unlock(path, {'id': lock_id})

    def _lock(self, path, busy):
        status, text = self._act(path, 'lock', {'level': 'stacks'})
        if status == 200:
            self._unlock(path, None)
        elif not (status == 409 and busy and _names_what_is_busy(text)):
            self.of_ours.append(f'lock of {path} was answered {status}: '
                                f'{text}, and Heat has {busy}')

    def _unlock(self, path, fields):
        status, text = self._act(path, 'unlock', fields)
        if status != 200:
            self.of_ours.append(
                f'unlock of {path} was answered {status}: {text}')

    def _delete(self, path):
        for _ in range(_DELETIONS):
            status, text = self._user.ask('DELETE', path)
            if status not in (204, 404):
                self.of_ours.append(
                    f'delete of {path} was answered {status}: {text}')
                return
            state = waiting.last(lambda: self._left(path),
                                 lambda found: not found, _DELETE_SECONDS)
            if not state:
                return
        busy = self._database.of_heat(path.rpartition('/')[2])
        # Not one that was refused later, nor one that nobody works on.
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
    # A stack or a resource with its state, or a StackLock with its engine.
    return '_IN_PROGRESS' in text or 'worked on' in text
