# SPDX-License-Identifier: Apache-2.0

"""The values that a nested stack had before an update came to it.

A rollback may give them back, also past ``updatable: false``: the failed
update may have lifted it.
"""

from heat_extras.parameters import rules
from heat_extras.parameters import values
from heat_extras.pre_update_state import baseline


def may_be_asked_for(old, new, given=None):
    """Return whether a rollback of this update could ask for them.

    :param old: :class:`heat.engine.parameters.Parameters` of the stack.
    :param new: those that it would have.
    :param given: values of the request, by name.
    """
    before, after = values.read(old), values.read(new, given)
    return (any(not reading.updatable
                for reading in (*before.values(), *after.values()))
            or _stored(before) != _stored(after))


def keep(current, update):
    """Keep the values of a stack, unless this update has been there already.

    :param update: the key of the update, see
        :mod:`heat_extras.pre_update_state.current_update`.
    :returns: what :func:`gives_back` takes.
    """
    return baseline.keep(
        current.context, current.id, baseline.PARAMETERS, update,
        lambda: _stored(values.read(current.parameters)))


def gives_back(kept, name, new, given=None):
    """Return whether a parameter gets the value from before."""
    after = _stored(values.read(new, given))
    return (name in kept) is (name in after) and (
        name not in kept or kept[name][0] == after[name][0])


def restricted(kept):
    """Return the names of the parameters that had to stay."""
    return {name for name, (digest, updatable) in kept.items()
            if not updatable}


def _stored(readings):
    return {name: [_digest(reading), reading.updatable]
            for name, reading in readings.items()}


def _digest(reading):
    if reading.state is not rules.State.KNOWN:
        return reading.state.value
    return baseline.digest([rules.kind(reading.kind), reading.value])
