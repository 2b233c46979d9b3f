# SPDX-License-Identifier: Apache-2.0

"""The data that heat-extras keeps with a Stack or Resource of Heat.

Heat loads such an object for each request and each task, and passes it on to
the threads of an operation. So these data reach steps without a request, for
example the end of an operation or a rollback. Each object has one attribute.

Pure: does not import Heat.
"""

import copy
import dataclasses
import typing

from heat_extras.db import models

_ATTRIBUTE = 'heat_extras'


@dataclasses.dataclass
class LifecycleState:
    """The operations for which lifecycle plugins are called.

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
    asked: typing.Any = None
    allowed: typing.Any = None
    in_thread: typing.Any = None
    new_stack: typing.Any = None
    is_denied: bool = False
    is_deleting: bool = False
    is_stored: bool | None = True

    def take(self, name: str) -> typing.Any:
        """Return the operation of a field, and set the field to None."""
        operation = getattr(self, name)
        setattr(self, name, None)
        return operation


@dataclasses.dataclass
class StackData:
    """The data of one heat.engine.stack.Stack.

    :ivar columns: its columns of heat-extras when it was loaded.
    :ivar lock: the ``lock_record.Lock`` in these columns.
    :ivar is_exported: whether the operation that has the StackLock exports it.
    :ivar start: the ``operation_start.Start`` of the operation that starts.
    :ivar awaits_trust: whether its trust is replaced when it is stored.
    :ivar keeps_tag: of an updated stack: whether the request has no tags.
    :ivar is_flag_loaded: whether *has_policy* was read from the database.
    :ivar has_policy: its column ``has_update_policy``.
    :ivar has_allow: whether its validation found an ``allow`` in its template
        or in a template of its nested stacks.
    :ivar rolled_back: the ``RolledBack`` that its rollback undoes.
    :ivar key_before: the key of the last update before the one that starts.
    :ivar plan: of an updated stack: the ``StackPlan`` of the update.
    :ivar reviewed_update: the ``ReviewedUpdate`` that has not started yet.
    :ivar lifecycle: its :class:`LifecycleState`.
    """

    columns: models.Columns = models.Columns()
    lock: typing.Any = None
    is_exported: bool = False
    start: typing.Any = None
    awaits_trust: bool = False
    keeps_tag: bool = False
    is_flag_loaded: bool = False
    has_policy: bool | None = None
    has_allow: bool = False
    rolled_back: typing.Any = None
    key_before: str | None = None
    plan: typing.Any = None
    reviewed_update: typing.Any = None
    lifecycle: LifecycleState = dataclasses.field(
        default_factory=LifecycleState)

    def set_policy(self, flag: bool | None) -> None:
        self.has_policy, self.is_flag_loaded = flag, True


@dataclasses.dataclass
class ResourceData:
    """The data of one heat.engine.resource.Resource.

    :ivar frozen_by: the freeze window because of which its signal is ignored.
    :ivar policy: the policy that an update in progress is checked against.
    :ivar new_definition: of the update in progress.
    """

    frozen_by: typing.Any = None
    policy: typing.Any = None
    new_definition: typing.Any = None


def of_stack(stack: typing.Any) -> StackData:
    """Return the data of a stack, which can be changed."""
    kept = vars(stack)
    return kept.get(_ATTRIBUTE) or kept.setdefault(_ATTRIBUTE, StackData())


def of_resource(resource: typing.Any) -> ResourceData:
    """Return the data of a resource, which can be changed."""
    kept = vars(resource)
    return kept.get(_ATTRIBUTE) or kept.setdefault(_ATTRIBUTE, ResourceData())


def copy_stack(stack: typing.Any) -> typing.Any:
    """Return a shallow copy of a stack, with data of its own."""
    copied = copy.copy(stack)
    vars(copied)[_ATTRIBUTE] = dataclasses.replace(of_stack(stack))
    return copied
