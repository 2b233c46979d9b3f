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


def find_violations(old, new, given=None, operation=rules.Operation.UPDATE,
                    unknown=()):
    """Check all parameters of a stack.

    :param old: :class:`heat.engine.parameters.Parameters` that it has.
    :param new: those that it would have.
    :param given: values of the request by name, which replace those of *new*.
    :param unknown: names of parameters whose new value cannot be known yet.
    :returns: name to answer, sorted, only what is not allowed.
    """
    before, after = _read(old), _read(new, given, unknown)
    lift = cfg.CONF.heat_extras.parameter_lift
    found = {name: rules.answer(before[name], after.get(name), lift,
                                operation) for name in sorted(before)}
    return {name: answer for name, answer in found.items()
            if answer is not rules.Answer.ALLOWED}


def _read(parameters, given=None, unknown=()):
    """Return the :class:`rules.Reading` of each parameter, by name."""
    readings = {}
    for name in parameters.non_pseudo_param_keys:
        parameter = parameters.params[name]
        schema = parameter.schema
        if given and given.get(name) is not None:
            parameter = heat_parameters.Parameter(name, schema, given[name])
        state, value = ((rules.State.UNKNOWN, None) if name in unknown
                        else _value(parameter))
        readings[name] = rules.Reading(schema.type, not schema.immutable,
                                       state, value)
    return readings


def _value(parameter):
    try:
        return rules.State.KNOWN, parameter.value()
    except heat_exception.UserParameterMissing:
        return rules.State.MISSING, None
    except (TypeError, ValueError):
        # The message would contain the value.
        return rules.State.INVALID, None
