# SPDX-License-Identifier: Apache-2.0

"""Read the parameters of Heat's objects, and check them by the rules."""

from heat.common import exception as heat_exception
from heat.engine import parameters as heat_parameters
from oslo_config import cfg

from heat_extras.parameters import rules

#: The field of a stack in the API.
FIELD = 'updatable'


def updatable(parameters):
    """Return the value of the column ``updatable`` of a stack.

    :param parameters: a :class:`heat.engine.parameters.Parameters`.
    :returns: only the parameters that are not; None when there are none.
    """
    return {name: False for name in sorted(parameters.non_pseudo_param_keys)
            if parameters.params[name].schema.immutable} or None


def add_updatable_field(stacks):
    """Add the field to stacks all of whose parameters can be updated.

    Not in a list, where each key of each stack takes its time.
    """
    for stack in stacks:
        stack.setdefault(FIELD)
    return stacks


def read(parameters, given=None, unknown=()):
    """Read all parameters of a template but the pseudo parameters.

    :param parameters: a :class:`heat.engine.parameters.Parameters`.
    :param given: values, by name, that replace those of *parameters*.
    :param unknown: names of parameters whose value cannot be known yet.
    :returns: name to :class:`rules.Reading`.
    """
    return {name: _read(parameters.params[name], (given or {}).get(name),
                        name in unknown)
            for name in parameters.non_pseudo_param_keys}


def answers(old, new, given=None, operation=rules.Operation.UPDATE,
            unknown=()):
    """Check all parameters of a stack.

    :param old: :class:`heat.engine.parameters.Parameters` that it has.
    :param new: those that it would have.
    :param given: values of the request, by name; they are in *new* already,
        or replace it.
    :param unknown: names of parameters whose new value cannot be known yet.
    :returns: name to answer, sorted, only what is not allowed.
    """
    before, after = read(old), read(new, given, unknown)
    lift = cfg.CONF.heat_extras.parameter_lift
    found = {name: rules.answer(before[name], after.get(name), lift,
                                operation) for name in sorted(before)}
    return {name: answer for name, answer in found.items()
            if answer is not rules.Answer.ALLOWED}


def _read(parameter, given, is_unknown):
    schema = parameter.schema
    if given is not None:
        parameter = heat_parameters.Parameter(parameter.name, schema, given)
    state, value = ((rules.State.UNKNOWN, None) if is_unknown
                    else _value(parameter))
    return rules.Reading(schema.type, not schema.immutable, state, value)


def _value(parameter):
    try:
        return rules.State.KNOWN, parameter.value()
    except heat_exception.UserParameterMissing:
        return rules.State.MISSING, None
    except (TypeError, ValueError):
        # The message would contain the value.
        return rules.State.INVALID, None
