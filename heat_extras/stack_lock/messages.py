# SPDX-License-Identifier: Apache-2.0

"""Messages about locks that several modules use.

Pure: does not import Heat.
"""

import typing

# The status reason and the event of an unlock.
UNLOCKED = 'Stack UNLOCK completed successfully'


def name_and_id(stack: typing.Any) -> str:
    """Return the name and ID of a stack or its row, for a message."""
    return f'{stack.name} ({stack.id})'


def not_locked(stack: str) -> str:
    """Reject an unlock of a stack that is not locked."""
    return f'Stack {stack} is not locked.'


def operation_name(action: str, root_id: str) -> str:
    """Return the name of a lock or unlock for a message."""
    return f'{action} of stack {root_id}'


def stopped(action: str, root_id: str) -> str:
    """Report that the thread of a lock or unlock was stopped."""
    return f'{action} of stack {root_id} was stopped'
