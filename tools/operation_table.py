#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0

"""Print the page of operations, which the documentation is built with.

Usage: operation_table.py [--write FILE]
"""

import generated_page

from heat_extras.stack_lock import operations
from heat_extras.stack_lock import states

HEADER = """\
===========
Lock states
===========

This page describes the states of a :doc:`stack lock </user/stack-lock>`, and
which operations on a root stack or nested stack Heat rejects in each state.

States
======

The field ``lock_status`` of a stack is the state of its lock, and is null if
the stack has no lock. Each arrow of the diagram is a command, or the result of
the work of an engine::

                lock                       protected
   null ───────────────► LOCK_IN_PROGRESS ───────────► LOCK_COMPLETE
    ▲                     ▲           │                      │
    │          lock again │           │ a resource could not │
    │                     │           ▼ be protected         │
    │                    LOCK_FAILED ◄┘                      │
    │ released                 │ unlock               unlock │
    │                          ▼                             │
    └──────────────── UNLOCK_IN_PROGRESS ◄───────────────────┘
                        │           ▲
   a resource could not ▼           │ unlock again
   be released        UNLOCK_FAILED ┘

A stack in LOCK_FAILED or UNLOCK_FAILED can also be deleted. The stack is
locked in all states except null. A lock of level ``stacks`` is complete
immediately, unless Heat must release the resources of an earlier lock of level
``all``. If you change a lock in LOCK_COMPLETE, the lock is in LOCK_IN_PROGRESS
again.

The field ``stack_status`` is the status of the stack itself. A lock does not
change it in Heat's database. Whether API responses show the lock in
``stack_status`` depends on the option ``[heat_extras] status_overlay``:

.. list-table::
   :header-rows: 1

   * - ``lock_status``
     - ``stack_status``, with ``off`` (default)
     - ``stack_status``, with ``full``
   * - null
     - for example CREATE_COMPLETE
     - for example CREATE_COMPLETE. After an unlock: UNLOCK_COMPLETE, until
       the next operation
   * - LOCK_IN_PROGRESS, LOCK_COMPLETE, LOCK_FAILED, UNLOCK_IN_PROGRESS,
       UNLOCK_FAILED
     - for example CREATE_COMPLETE
     - the value of ``lock_status``. While the stack has a lock pass: for
       example CREATE_COMPLETE

Operations
==========

The table at the end of this page is generated from
``heat_extras/stack_lock/operations.py``. When an engine checks a request, it
uses the same file.

The entries of the table have these meanings:

* *rejected*: Heat rejects the operation. The response is 409.
* *ignored*: The response is 200, and the signal has no effect.
* ``--``: The state has no effect on the operation.
* *by its parent*: Heat accepts the operation only on a nested stack, and only
  as a part of an operation of the parent stack.
* *by the pass user*: Heat accepts the operation only from the user of the
  lock pass, and from users who may unlock the stack.

The columns *not locked* to *UNLOCK_FAILED* are the values of ``lock_status``.
The last two columns are not values of ``lock_status``:

* *pass in use*: The stack is locked, and an update with a
  :doc:`lock pass </user/lock-pass>` is in progress. Before this update starts,
  the column LOCK_COMPLETE applies, except that Heat accepts the update of the
  pass user.
* *protected from deletion*: The stack has
  :doc:`delete protection </user/delete-protection>`. This column applies in
  addition to the column with the state of the lock.

If an operation is not in the table, Heat rejects it in the same states as an
update. Heat accepts these operations only on a root stack: lock, unlock, and
the deletion of a stack whose lock or unlock failed.

"""

_CELLS = {operations.PASS: '--', operations.REFUSE: 'rejected',
          operations.BY_PARENT: 'by its parent',
          operations.BY_HOLDER: 'by the pass user'}

# What an operation is called here, where its name alone does not tell.
_CALLED = {
    states.LOCK: 'lock, change of the level or reason',
    states.UNLOCK: 'unlock',
    operations.EXTEND_LOCK: 'change of the expiration',
    operations.SNAPSHOT: 'snapshot create',
    operations.RESTORE: 'snapshot restore',
    operations.CANCEL: 'cancel of an update',
    operations.MARK_UNHEALTHY: 'mark unhealthy, reset of a mark',
    operations.CLEAR_HOOK: 'clearing of a hook',
    operations.NESTED_CREATE: 'creation of a nested stack',
    operations.MIGRATE: 'migration to the convergence engine',
    operations.SCALE: 'scaling by a signal from before the lock',
    operations.SIGNAL: 'signal to any other resource',
    operations.AGENT_SIGNAL: 'signal to a wait condition handle or software '
                             'deployment',
    operations.PREVIEW: 'preview of an update',
    operations.LOCK_PASS: 'grant or revocation of a lock pass',
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
    return _CELLS.get(verdict, verdict)


if __name__ == '__main__':
    generated_page.show_or_write(page())
