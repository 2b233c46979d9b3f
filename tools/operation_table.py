#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0

"""Print the table of operations, or check that the documentation has it.

Usage: operation_table.py [--check doc/source/operations.rst]
"""

import made_page

from heat_extras.stack_lock import operations
from heat_extras.stack_lock import states

HEADER = """\
=================================
What a lock stops, state by state
=================================

What becomes of each operation on a stack of a locked tree, the root or any
nested one, from the very table that refuses them (``tools/operation_table.py``
makes this page of ``heat_extras/stack_lock/operations.py``). *Refused* is
answered with 409, *ignored* with 200, and ``--`` goes on. What is not listed
is refused like an update. Lock, unlock, and a delete in a failed state are for
the root of a tree alone. :doc:`stack-lock` tells more of each. *Pass in use*
is a lock that lets one update through meanwhile (:doc:`lock-pass`); before
that, the update of who holds the pass goes on in LOCK_COMPLETE, too.

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
    operations.SCALE: 'begin of a scaling that a signal caused before',
    operations.SIGNAL: 'signal to a resource of any other type',
    operations.AGENT_SIGNAL: 'signal to a wait condition handle or software '
                             'deployment',
    operations.PREVIEW: 'preview of an update',
    operations.LOCK_PASS: 'grant or revoke of a pass',
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
    made_page.show_or_check(page(), 'operations')
