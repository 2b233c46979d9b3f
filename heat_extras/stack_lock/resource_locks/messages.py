# SPDX-License-Identifier: Apache-2.0

"""Messages about the protection of a resource that several places use.

Pure: nothing of Heat is imported.
"""

GONE = 'the physical resource is gone'
LIFTED = 'was lifted by somebody else meanwhile'
TAKEN = 'is protected by somebody else by now'
NEVER = 'was not protected'


def reason_for(stack_name: str) -> str:
    """Return the reason that a service shows for a lock of a stack."""
    return f'locked with Heat stack {stack_name}'
