# SPDX-License-Identifier: Apache-2.0

"""The values that a nested stack had before an update came to it.

A rollback may give them back, also past ``updatable: false``: the failed
update may have lifted it.
"""

import sys

from heat.engine.resources import stack_resource

from heat_extras.parameters import readings
from heat_extras.parameters import rules
from heat_extras.pre_update_state import baseline
from heat_extras.pre_update_state import beginnings


def is_concerned(stack):
    """Return whether a rollback of a stack comes to nested stacks."""
    return any(issubclass(_class_of(stack, name), stack_resource.StackResource)
               for name in stack.defn.enabled_rsrc_names())


def _class_of(stack, name):
    return stack.env.registry.get_class_to_instantiate(
        stack.defn.resource_definition(name).resource_type,
        resource_name=name)


def remember(stack, undone):
    """Keep nothing: a nested stack does when its update is prepared."""


def is_worth(old, new, given=None):
    """Return whether a rollback of this update could ask for them.

    :param old: :class:`heat.engine.parameters.Parameters` of the stack.
    :param new: those that it would have.
    :param given: values of the request, by name.
    """
    before, after = readings.read(old), readings.read(new, given)
    return (any(not reading.updatable
                for reading in (*before.values(), *after.values()))
            or _shown(before) != _shown(after))


def keep(current, update):
    """Keep the values of a stack, unless this update has been there already.

    :param update: the key of the update, see
        :mod:`heat_extras.pre_update_state.operation`.
    :returns: what :func:`gives_back` takes.
    """
    return baseline.keep(
        current.context, current.id, baseline.PARAMETERS, update,
        lambda: _shown(readings.read(current.parameters)))


def gives_back(kept, name, new, given=None):
    """Return whether a parameter comes to what it was."""
    after = _shown(readings.read(new, given))
    return (name in kept) is (name in after) and (
        name not in kept or kept[name][0] == after[name][0])


def restricted(kept):
    """Return the names of the parameters that had to stay."""
    return {name for name, (digest, updatable) in kept.items()
            if not updatable}


def _shown(found):
    return {name: [_digest(reading), reading.updatable]
            for name, reading in found.items()}


def _digest(reading):
    if reading.state is not rules.State.KNOWN:
        return reading.state.value
    return baseline.digest([rules.kind(reading.kind), reading.value])


def start():
    """Be told where updates and rollbacks begin."""
    beginnings.add(sys.modules[__name__])


def stop():
    """Be told no longer."""
    beginnings.remove(sys.modules[__name__])
