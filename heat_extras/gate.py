# SPDX-License-Identifier: Apache-2.0

"""Ask the guards of the enabled features, always in the same order.

The wrappers of Heat's functions call this module, and each function of Heat is
wrapped only once. A method of a guard that does nothing is not called.

Pure: does not import Heat.
"""

import collections.abc
import functools
import typing

from heat_extras import guard
from heat_extras import rpc_request

_guards: tuple[guard.Guard, ...] = ()


def open_for(chosen: collections.abc.Iterable[guard.Guard]) -> None:
    """Set the guards to ask.

    :param chosen: the guards, in the order of
        :data:`heat_extras.features.FEATURES`.
    """
    global _guards
    _guards = tuple(chosen)
    asked_at.cache_clear()


def all_guards() -> tuple[guard.Guard, ...]:
    """Return all guards that are asked."""
    return _guards


@functools.cache
def asked_at(step: str) -> list[collections.abc.Callable]:
    """Return the methods of the guards that decide at a step, in order.

    :param step: the name of a method of :class:`heat_extras.guard.Guard`.
    """
    return [getattr(each, step) for each in _guards
            if getattr(type(each), step) is not getattr(guard.Guard, step)]


def ask(step: str, proceed: collections.abc.Callable,
        *subject: typing.Any) -> typing.Any:
    """Ask all guards at a step. Each can continue with the next, or not.

    :param step: see :func:`asked_at`.
    :param proceed: calls Heat's method, without arguments.
    :param subject: the arguments of the guards' method before *proceed*.
    :returns: the result of the first guard.
    """
    for method in reversed(asked_at(step)):
        proceed = functools.partial(method, *subject, proceed)
    return proceed()


def check_row(row: typing.Any) -> None:
    """Check the row of a stack, if this thread processes a request.

    :param row: the heat.objects.stack.Stack that Heat has read.
    """
    request = rpc_request.current()
    if request is not None:
        for step in ('check_row', 'accept_row'):
            for method in asked_at(step):
                method(request, row)
        request.is_row_checked = True


def prepare_update(update: guard.Update,
                   proceed: collections.abc.Callable) -> tuple:
    """Prepare an update or a preview.

    :returns: the template, the current stack, and the updated stack.
    """
    prepared = ask('prepare_update', proceed, update)
    request = rpc_request.current()
    if request is not None:
        request.stacks = tuple(prepared[1:])
    return prepared


def list_stops(context: typing.Any, update: typing.Any) -> list:
    """List each ``guard.Stop`` of a planned update."""
    return [stop for method in asked_at('list_stops')
            for stop in method(context, update)]


def list_guards(context: typing.Any, tree: typing.Any) -> list:
    """List each ``guard.GuardInfo`` of a stack tree."""
    return [info for method in asked_at('list_guards')
            for info in method(context, tree)]


def find_deletion_stops(context: typing.Any,
                        tree: typing.Any) -> dict[int, guard.Stop]:
    """Find what would stop the deletion of single resources of a tree."""
    return {id: stop for method in asked_at('find_deletion_stops')
            for id, stop in method(context, tree).items()}


def list_replace_blockers(resource: typing.Any,
                          stack: typing.Any) -> list[str]:
    """List the reasons why no update can replace a resource."""
    return [text for method in asked_at('list_replace_blockers')
            for text in method(resource, stack)]


def find_resource_protection(
        stack: typing.Any,
        updated: typing.Any = None) -> guard.ResourceProtection | None:
    """Find what forbids updates to replace or remove resources of a tree."""
    found = (method(stack, updated)
             for method in asked_at('find_resource_protection'))
    return next(filter(None, found), None)
