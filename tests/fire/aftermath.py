# SPDX-License-Identifier: Apache-2.0

"""What is stuck when all is mended, and because of whom.

A stack is Heat's loss when Heat itself still takes it for busy: it is
IN_PROGRESS, or a resource of it is held by an engine that lives, with nothing
going on. Bare Heat has the same; it is counted, and no failure.
"""

import sqlalchemy

from tests.rigs import waiting

_SECONDS = 30
_DELETE_SECONDS = 120


class Aftermath:
    """Bring the stacks of a user to rest, lock, unlock and delete them.

    :ivar of_heat: sentences on what Heat has lost.
    :ivar of_ours: sentences on what is stuck otherwise.
    """

    def __init__(self, user, database, locks=True):
        self._user = user
        self._database = database
        self._locks = locks
        self.of_heat = []
        self.of_ours = []

    def inspect(self):
        for path in self._user.paths:
            if self._locks:
                self._lock(path)
            self._delete(path)
        return self

    def _busy(self, path):
        stack_id = path.rpartition('/')[2]
        return (self._database.busy_stacks(stack_id)
                + self._database.leftovers(stack_id))

    def _act(self, path, name, fields=None):
        return self._user.ask('POST', path + '/actions', {name: fields})

    def _lock(self, path):
        busy = waiting.last(lambda: self._busy(path),
                            lambda found: not found, _SECONDS)
        status, text = self._act(path, 'lock', {'level': 'stacks'})
        if status == 409 and busy:
            self.of_heat.append(f'{path} can not be locked: {busy}')
        elif status != 200:
            self.of_ours.append(f'lock of {path} was answered {status}: '
                                f'{text}, with {busy}')
        else:
            self._unlock(path)

    def _unlock(self, path):
        status, text = self._act(path, 'unlock')
        if status != 200:
            self.of_ours.append(
                f'unlock of {path} was answered {status}: {text}')

    def _delete(self, path):
        status, text = self._user.ask('DELETE', path)
        if status != 204:
            self.of_ours.append(
                f'delete of {path} was answered {status}: {text}')
            return
        gone = waiting.last(lambda: self._is_gone(path), bool,
                            _DELETE_SECONDS)
        if not gone:
            # Nothing of ours is in the way of one that was accepted.
            self.of_heat.append(f'{path} is not deleted: {self._busy(path)}')

    def _is_gone(self, path):
        with self._database.reader() as connection:
            return connection.scalar(sqlalchemy.text(
                'SELECT deleted_at FROM stack WHERE id = :id'),
                {'id': path.rpartition('/')[2]}) is not None
