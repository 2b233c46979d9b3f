# SPDX-License-Identifier: Apache-2.0

"""Ask every kind of guards."""

from heat_extras import guard_loader
from heat_extras.heat_internals import guard_tree


def bodies(context, stack, nested=True, blocking=None, at=None):
    """List the guards of a stack as the API answers them.

    :param stack: the row that Heat loaded.
    :param nested: whether to list those of nested stacks, too.
    :param blocking: only those that stop this action, or may.
    :param at: those of this moment; None: of now.
    """
    found = guard_tree.load_tree(context, stack, nested, at)
    guards = [each for list_guards in guard_loader.load()
              for each in list_guards(context, found)
              if (blocking is None or each.blocks(blocking))
              and not _is_over(each, at)]
    order = {stack_id: index for index, stack_id in enumerate(found.ids)}
    guards.sort(key=lambda each: (order[each.stack_id], each.kind,
                                  each.name or ''))
    return [each.body(found.name_of(each.stack_id)) for each in guards]


def _is_over(guard, at):
    return (None not in (at, guard.expires_at)) and guard.expires_at <= at


def start():
    """Load the kinds, so that one that does not load stops the engine."""
    guard_loader.load()


def stop():
    """Stop what start() started: nothing runs."""
