#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0

"""Print the page of operations, which the documentation is built with.

Usage: operation_table.py [--write FILE]
"""

import made_page

from heat_extras.stack_lock import operations
from heat_extras.stack_lock import states

HEADER = """\
========================
Operations by lock state
========================

This page lists which operations on a root stack or nested stack are rejected
in which state of its lock (:doc:`/user/stack-lock`).
``tools/operation_table.py`` generates it from the table that engines use
(``heat_extras/stack_lock/operations.py``).

* *refused*: The request is rejected with 409.
* *ignored*: The signal is answered with 200 and has no effect.
* ``--``: The lock has no effect on the operation.
* *pass in use*: An update with a lock pass is in progress
  (:doc:`/user/lock-pass`). While a lock pass is granted but not used, the
  state is LOCK_COMPLETE, and the update of its user is accepted.

Operations that are not in the table are rejected like an update. Lock,
unlock, and the deletion of a stack with a failed lock are accepted for root
stacks only.

"""

# What an operation is called here, where its name alone does not tell.
_CALLED = {
    states.LOCK: 'lock, change of the level or reason',
    states.UNLOCK: 'unlock',
    operations.SNAPSHOT: 'snapshot create',
    operations.RESTORE: 'snapshot restore',
    operations.CANCEL: 'cancel of an update',
    operations.MARK_UNHEALTHY: 'mark unhealthy, reset of a mark',
    operations.CLEAR_HOOK: 'clearing of a hook',
    operations.NESTED_CREATE: 'creation of a nested stack',
    operations.MIGRATE: 'migration to convergence',
    operations.SCALE: 'start of a scaling after an earlier signal',
    operations.SIGNAL: 'signal to a resource of any other type',
    operations.AGENT_SIGNAL: 'signal to a wait condition handle or software '
                             'deployment',
    operations.PREVIEW: 'preview of an update',
    operations.LOCK_PASS: 'grant or revoke of a lock pass',
    operations.READ: 'show, list, outputs, events',
    operations.OTHER: "any other change of the stack's rows by an engine",
}


def page():
    """Return the page, the same for every run."""
    head = ['Operation', *operations.COLUMNS]
    rows = [[_CALLED.get(name, name), *(_cell(verdicts[state])
                                        for state in operations.COLUMNS)]
            for name, verdicts in operations.TABLE.items()]
    lines = ['.. list-table::', '   :header-rows: 1', '']
    for row in (head, *rows):
        for place, cell in enumerate(row):
            lines.append(f'   {"-" if place else "* -"} {cell}'.replace(
                '   - ', '     - '))
    return HEADER + '\n'.join(lines) + '\n'


def _cell(verdict):
    return '--' if verdict == operations.PASS else verdict


if __name__ == '__main__':
    made_page.show_or_write(page())
