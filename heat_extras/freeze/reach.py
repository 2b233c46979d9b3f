# SPDX-License-Identifier: Apache-2.0

"""What a freeze can stop, and what it never does.

Pure: nothing of Heat is imported.
"""

from heat_extras import guard
from heat_extras.host import operation_names as names

#: What a window stops that does not say what.
CHANGES = (names.CREATE, names.UPDATE, names.DELETE, names.ABANDON,
           names.SUSPEND, names.RESUME, names.CHECK, names.SNAPSHOT,
           names.SNAPSHOT_DELETE, names.RESTORE, names.MARK_UNHEALTHY,
           names.MIGRATE)

#: A signal is ignored, and only where a window names it.
ALL = (*CHANGES, names.SIGNAL)

#: What goes on in every freeze: what ends or undoes what runs.
NEVER = (names.CANCEL, names.CLEAR_HOOK)


def stopped(operations: frozenset[str]) -> tuple[str, ...]:
    """Return the actions of guards that a window stops."""
    return tuple(action for action in guard.ACTIONS
                 if _operation(action) in operations)


def _operation(action: str) -> str:
    # An update may replace.
    return (names.UPDATE if action == 'replace'
            else action.replace('_', ' '))
