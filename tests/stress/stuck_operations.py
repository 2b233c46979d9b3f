# SPDX-License-Identifier: Apache-2.0

"""Check that no operation is stuck after a stress test."""

import sqlalchemy

from tests.harness import waiting
from tests.stress import templates

_SECONDS = 120
# The response to a signal comes before its work: some work starts when all
# other stacks are idle, and makes operations on a legacy stack fail.
_LATE_SIGNALS = 3


class StuckOperations:
    """Check that operations on a stack still work.

    :param target: a :class:`tests.stress.operations.Target`
    """

    def __init__(self, target):
        self._target = target
        self._client = target.client
        self.violations = []

    def inspect(self):
        """Wait until the stack is idle, then update, lock, unlock and delete.

        :returns: sentences about operations that do not work
        """
        return self._take(self._rest, self._wake, self._update, self._lock,
                          self._delete)

    def inspect_roughly(self):
        """Check only for stuck lock operations.

        This is for stacks whose operations also raced each other, because
        locks do not prevent defects of Heat in this case.
        """
        return self._take(self._unlock, self._demand_no_stack_lock)

    def _take(self, *steps):
        for step in steps:
            if self.violations or self._is_gone():
                break
            step()
        return self.violations

    def _is_gone(self):
        return self._client.get(self._target.path).status_code == 404

    def _unlock(self):
        # Lock and unlock of level "all" continue after their responses.
        problems = _until_empty(self._unfinished_lock)
        self.violations += [f'stuck: {text}' for text in problems]
        if self._row('lock_level') is not None:
            self._demand(200, self._act('unlock'))

    def _unfinished_lock(self):
        return self._target.database.busy_locks(self._target.stack_id)

    def _demand_no_stack_lock(self):
        rows = _until_empty(lambda: self._target.database.stack_locks(
            self._target.stack_id))
        self.violations += [f'after the run: {text}' for text in rows]

    def _rest(self):
        self._unlock()
        problems = _until_empty(self._unrest)
        self.violations += [f'stuck: {text}' for text in problems]

    def _unrest(self):
        database, stack_id = self._target.database, self._target.stack_id
        return (database.busy_stacks(stack_id)
                + database.leftovers(stack_id))

    def _row(self, column):
        with self._target.database.reader() as connection:
            return connection.scalar(
                sqlalchemy.text(f'SELECT {column} FROM stack WHERE id = :id'),
                {'id': self._target.stack_id})

    def _wake(self):
        if self._row('action') == 'SUSPEND':
            self._demand(200, self._act('resume'))
            self._wait('RESUME_COMPLETE')

    def _update(self):
        for _ in range(_LATE_SIGNALS):
            self._rest()
            self._demand(202, self._client.put(self._target.path, {
                'template': self._target.template,
                'files': templates.FILES,
                'parameters': {'value': 'after the run'}}))
            self._await_end()
            if 'ActionInProgress' not in self._row('status_reason'):
                break
        self._wait('UPDATE_COMPLETE')

    def _lock(self):
        for _ in range(_LATE_SIGNALS):
            # Stacks that stay busy are found here.
            self._rest()
            answer = self._act('lock', {'level': 'stacks'})
            if answer.status_code != 409:
                break
        self._demand(200, answer)
        self._demand(200, self._act('unlock'))

    def _delete(self):
        self._demand(204, self._client.delete(self._target.path))
        problems = _until_empty(lambda: [] if self._row('deleted_at') else [
            f'stack is {self._status()}: {self._row("status_reason")}'])
        self.violations += [f'after delete: {text}' for text in problems]

    def _act(self, name, fields=None):
        return self._client.post(self._target.path + '/actions',
                                 {name: fields})

    def _wait(self, wanted):
        self._await_end()
        status = self._status()
        if status != wanted:
            self.violations.append(
                f'after the run it is {status} '
                f'({self._row("status_reason")}), wanted {wanted}')

    def _await_end(self):
        _until_empty(lambda: self._row('status') == 'IN_PROGRESS')

    def _status(self):
        return f'{self._row("action")}_{self._row("status")}'

    def _demand(self, status, answer):
        if answer.status_code != status:
            self.violations.append(
                f'after the run {answer.request.method} '
                f'{answer.request.body!r:.80} was answered '
                f'{answer.status_code}: {answer.text[:600]}')


def _until_empty(find):
    return waiting.last(find, lambda value: not value, _SECONDS)
