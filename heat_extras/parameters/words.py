# SPDX-License-Identifier: Apache-2.0

"""What people read about parameters that stay.

Pure: nothing of Heat is imported.
"""

import collections.abc

from heat_extras import sanitize

LIFT_FIRST = ('A restriction must be lifted first, by an update that keeps '
              'the value (parameter_lift = two_step).')
RESTORE = ('A restore lifts no restriction: let an update of the stack lift '
           'it first.')
ROLLBACK = ('This is a rollback, which may only give back what was before '
            'the failed update.')

# Of a guard, with its way out by the option parameter_lift.
REASON = ('the template says that it is not updatable: no update may change '
          'its value')
HOW_TO_LIFT = {
    'same_update': 'update the stack with a template that lifts it; the '
                   'value may change with the same update',
    'two_step': 'update the stack with a template that lifts it and the '
                'same value first',
}


def parameter(path: collections.abc.Sequence[str], name: str) -> str:
    """Name a parameter.

    :param path: the names of the resources that lead to its nested stack.
    """
    if not path:
        return name
    return f'{name} of nested stack {"/".join(path)}'


def no_boolean(name: str, updatable: object) -> str:
    """Refuse an ``updatable`` that is neither true nor false."""
    return (f'parameter {name}: found updatable: '
            f'{sanitize.as_written(updatable)}, wanted true or false, without '
            'quotes')


def contradiction(name: str, updatable: bool, immutable: object) -> str:
    """Refuse two words that say the opposite of each other."""
    found = (f'parameter {name}: found updatable: '
             f'{sanitize.as_written(updatable)} and immutable: '
             f'{sanitize.as_written(immutable)}')
    if isinstance(immutable, bool):
        return f'{found}, which contradict each other: take out one of them'
    return (f'{found}, wanted true or false for both, without quotes: Heat '
            'takes most other values of immutable for true')
