# SPDX-License-Identifier: Apache-2.0

"""The state of lifecycle on Heat's Stack objects.

Heat makes such an object for every request and every task, so it exists during
one part of an operation.
"""

import dataclasses
import typing

from heat_extras.heat_internals import object_data
from heat_extras.lifecycle import operation_table


@dataclasses.dataclass
class StackState:
    """The state of lifecycle on a Stack object.

    :param notify: Heat's NotifyEvent, which signals to the caller that the
        operation is in the database.
    :param asked: an operation whose pre calls were made while its caller
        waits, until the operation starts.
    :param allowed: an operation that plugins allowed on the convergence
        engine, until Heat starts it.
    :param in_thread: an operation that ends in the thread that started it.
    :param new_stack: the new stack of the operation *in_thread*.
    :param is_denied: whether plugins denied an operation that ends in its
        thread.
    :param is_deleting: whether Heat is in Stack.delete.
    :param is_stored: whether Heat stored its new traversal, or None before
        that.
    """

    notify: typing.Any = None
    asked: operation_table.Operation | None = None
    allowed: operation_table.Operation | None = None
    in_thread: operation_table.Operation | None = None
    new_stack: typing.Any = None
    is_denied: bool = False
    is_deleting: bool = False
    is_stored: bool | None = True

    def take(self, name: str) -> operation_table.Operation | None:
        """Return the operation of a field, and set the field to None."""
        operation = getattr(self, name)
        setattr(self, name, None)
        return operation


def get_state(stack: typing.Any) -> StackState:
    """Return the state of a Stack object. It is created if necessary."""
    data = object_data.of_stack(stack)
    if data.lifecycle is None:
        data.lifecycle = StackState()
    return data.lifecycle
