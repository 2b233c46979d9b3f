# SPDX-License-Identifier: Apache-2.0

"""Read the parameters of Heat's objects, and check them."""

from heat.common import exception as heat_exception
from heat.engine import parameters as heat_parameters
from oslo_config import cfg

from heat_extras.parameters import rules

#: The field of a stack in the API.
FIELD = 'updatable'


def updatable_column(parameters):
    """Return the value of the column ``updatable`` of a stack.

    :param parameters: a :class:`heat.engine.parameters.Parameters`.
    :returns: a dict with only the parameters that are not updatable, or None
        if all are updatable.
    """
    return {name: False for name in sorted(parameters.non_pseudo_param_keys)
            if parameters.params[name].schema.immutable} or None


def add_updatable_field(stacks):
    """Add the field to stacks whose parameters can all be updated.

    It is not added in lists of stacks, where each additional key costs time.
    """
    for stack in stacks:
        stack.setdefault(FIELD)
    return stacks


def find_violations(old, new, given=None, operation=rules.Operation.UPDATE,
                    unknown=()):
    """Check all parameters of a stack.

    :param old: the current :class:`heat.engine.parameters.Parameters`.
    :param new: the parameters after the update.
    :param given: values of the request by name, which replace values in *new*.
    :param unknown: names of parameters whose new value is not known yet.
    :returns: a dict from name to decision, sorted, of all parameters that
        may not change.
    """
    before, after = _read_states(old), _read_states(new, given, unknown)
    lift = cfg.CONF.heat_extras.parameter_lift
    decisions = {name: rules.decide(before[name], after.get(name), lift,
                                    operation) for name in sorted(before)}
    return {name: decision for name, decision in decisions.items()
            if decision is not rules.Decision.ALLOWED}


def _read_states(parameters, given=None, unknown=()):
    """Return the :class:`rules.ParameterState` of each parameter, by name."""
    states = {}
    for name in parameters.non_pseudo_param_keys:
        parameter = parameters.params[name]
        schema = parameter.schema
        if given and given.get(name) is not None:
            parameter = heat_parameters.Parameter(name, schema, given[name])
        state, value = ((rules.ValueState.UNKNOWN, None) if name in unknown
                        else _read_value(parameter))
        states[name] = rules.ParameterState(
            schema.type, not schema.immutable, state, value)
    return states


def _read_value(parameter):
    try:
        return rules.ValueState.KNOWN, parameter.value()
    except heat_exception.UserParameterMissing:
        return rules.ValueState.MISSING, None
    except (TypeError, ValueError):
        # The message would contain the value.
        return rules.ValueState.INVALID, None
