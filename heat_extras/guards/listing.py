# SPDX-License-Identifier: Apache-2.0

"""Ask every kind of guards."""

from heat_extras import extensions
from heat_extras.host import trees


def bodies(context, stack, nested=True, blocking=None):
    """List the guards of a stack as the API answers them.

    :param stack: the row that Heat loaded.
    :param nested: whether to list those of nested stacks, too.
    :param blocking: only those that stop this action.
    """
    found = trees.load(context, stack, nested)
    guards = [each for list_guards in extensions.load()
              for each in list_guards(context, found)
              if blocking is None or blocking in each.stops]
    order = {stack_id: index for index, stack_id in enumerate(found.ids)}
    guards.sort(key=lambda each: (order[each.stack_id], each.kind,
                                  each.name or ''))
    return [each.body(found.name_of(each.stack_id)) for each in guards]


def start():
    """Load the kinds, so that one that does not load stops the engine."""
    extensions.load()


def stop():
    """Stop what start() started: nothing runs."""
