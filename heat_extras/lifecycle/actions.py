# SPDX-License-Identifier: Apache-2.0

"""The actions of stacks that plugins are asked about, and choices of them.

Pure: nothing of Heat is imported.
"""

from collections import abc

from oslo_config import types

ACTIONS = ('CREATE', 'ADOPT', 'UPDATE', 'ROLLBACK', 'RESTORE', 'DELETE',
           'SUSPEND', 'RESUME', 'CHECK', 'SNAPSHOT', 'LOCK', 'UNLOCK')

# Those that bring a template: what they make or change is known before.
WITH_TEMPLATE = ('CREATE', 'ADOPT', 'UPDATE', 'RESTORE')

# Between actions in an option that has a comma between plugins.
SEPARATOR = '|'


def split(text: str) -> list[str]:
    """Return the actions that a text like ``create|UPDATE`` names."""
    return [name.strip().upper() for name in text.split(SEPARATOR)]


def unknown(names: abc.Iterable[str]) -> list[str]:
    """Return those of some names that are no action."""
    return [name for name in names if name not in ACTIONS]


class Actions(types.String):
    """The type of an option that names actions."""

    wanted = (f'one or more of {", ".join(ACTIONS)}, with {SEPARATOR} '
              'between')

    def __call__(self, value: object) -> str:
        """Check a value.

        :raises ValueError: says what was found and what was wanted.
        """
        text = super().__call__(value)
        strangers = unknown(split(text))
        if strangers:
            raise ValueError(f'found {", ".join(strangers)}, '
                             f'wanted {self.wanted}')
        return text

    def __repr__(self) -> str:
        return 'Actions'
