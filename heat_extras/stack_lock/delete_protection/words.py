# SPDX-License-Identifier: Apache-2.0

"""The sentences of the protection from deletion that users read.

Pure: nothing of Heat is imported.
"""

from heat_extras import sanitize

# What begins the refusal while an engine would not enforce it.
NO_PROTECTION = 'No stack can be protected from deletion'

# The event of an unprotect.
UNPROTECTED = 'Stack is not protected from deletion any more'


def protected(reason: str | None) -> str:
    """Tell that a stack is protected."""
    return f'Stack is protected from deletion{sanitize.because(reason)}'


def is_protected(stack: str, who: str | None, since: str | None,
                 reason: str | None, root_name: str, right: str) -> str:
    """Refuse the deletion of a protected stack, and tell how to go on.

    :param who: None where the reader may not know.
    :param right: the policy rule that it takes to lift the protection.
    """
    return (f'Stack {stack} is protected from deletion by '
            f'{who or "a user of another project"} since {since}'
            f'{sanitize.because(reason)}. To remove the protection: '
            f'{unprotect(root_name)}. Required policy: {right}.')


def is_tagged(stack: str, tag: str, root_name: str) -> str:
    """Refuse the deletion, or an unprotect, of a stack that a tag protects."""
    return (f'Stack {stack} is protected from deletion by the tag {tag!r} of '
            f'its root stack {root_name}. To remove the protection: '
            f'{untag(tag, root_name)}. Required policy: {RIGHT_TO_UNTAG}.')


def untag(tag: str, root_name: str) -> str:
    """Tell how the tag that protects a stack is taken away."""
    return (f'openstack stack update --existing --tags TAGS {root_name}, '
            f'with tags among which {tag} is not')


RIGHT_TO_UNTAG = 'stacks:update'


def right_to_unprotect(rank: str | None) -> str:
    """Name the policy rule that it takes to lift a protection."""
    return ('actions:unprotect_override' if rank == 'admin'
            else 'actions:unprotect')


def unprotect(root_name: str) -> str:
    """Tell how the protection from deletion is lifted."""
    return f'openstack stack unprotect {root_name}'


def not_protected(stack: str) -> str:
    """Refuse to unprotect what is not protected."""
    return f'Stack {stack} is not protected from deletion.'


def being_deleted(stack: str) -> str:
    """Refuse to protect what is being deleted."""
    return (f'Stack {stack} cannot be protected from deletion now: it, or a '
            'stack nested in it, is being deleted. Nothing was changed. Look '
            'at it, and try again if it is still there.')


def tag_not_set(stack: str, tag: str) -> str:
    """Refuse an update that something overtook, and its tag with it."""
    return (f'Stack {stack} was changed meanwhile; its update was not begun, '
            f'and the tag {tag!r} does not protect it from deletion. Look at '
            'it, and try again.')
