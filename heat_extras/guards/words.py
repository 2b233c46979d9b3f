# SPDX-License-Identifier: Apache-2.0

"""What people read when a request for guards is refused, and in a guard.

Pure: nothing of Heat is imported.
"""

import collections.abc

# To a request that came to an engine which knows only of now.
OLDER = ('Guards can be listed for now alone: an engine of this Heat is of an '
         'older heat-extras. Leave "at" out, or try again when all engines '
         'are upgraded.')


def unknown_query(unknown: collections.abc.Iterable[str],
                  wanted: collections.abc.Iterable[str]) -> str:
    """Refuse words of a query that there are not."""
    return (f'Invalid query: found {", ".join(unknown)}, wanted any of '
            f'{", ".join(wanted)}.')


def not_nested(found: str) -> str:
    """Refuse a value of ``?nested=``."""
    return f'Invalid nested: found {found!r}, wanted true or false.'


def lift_restriction(root_name: str, word: str, name: str) -> str:
    """Tell how a restriction of an environment is lifted.

    :param word: what it is called there.
    """
    return (f'update stack {root_name} with an environment without {word} '
            f'for {name}')


def unknown_action(found: str, wanted: collections.abc.Iterable[str]) -> str:
    """Refuse a value of ``?blocking=``."""
    return (f'Invalid blocking: found {found!r}, wanted one of '
            f'{", ".join(wanted)}.')
