# SPDX-License-Identifier: Apache-2.0

"""What people read of a freeze.

Pure: nothing of Heat is imported.
"""

from heat_extras import sanitize

NOBODY = 'nobody'


def refused(operation: str, stack: str, freeze: str, reason: str | None,
            until: str | None) -> str:
    """Refuse an operation.

    :param stack: its name, with its id if it has one.
    :param freeze: the name of the window.
    :param until: None for no end that is near.
    """
    return (f'Stack {stack} is frozen{_until(until)} '
            f'({freeze}{sanitize.because(reason)}), {operation} refused: '
            f'{wait(until)}.')


def wait(until: str | None) -> str:
    """Tell what whoever meets a freeze can do."""
    return ('ask the operator of this Heat when it ends' if until is None
            else f'try again at {until}')


def no_such(part: str) -> str:
    """Tell why a rule that asks whether a part is false cannot be judged."""
    return f'there is no {part}'


def _until(until: str | None) -> str:
    return '' if until is None else f' until {until}'
