# SPDX-License-Identifier: Apache-2.0

"""Read the parameters of Heat's objects for the rules."""

from heat.common import exception as heat_exception
from heat.engine import parameters as heat_parameters

from heat_extras.parameters import rules

# In what the API shows of a stack.
FIELD = 'updatable'


def updatable(parameters):
    """Read what the column of a stack with these parameters holds.

    :param parameters: a :class:`heat.engine.parameters.Parameters`.
    """
    return rules.stored({
        name: not parameters.params[name].schema.immutable
        for name in parameters.non_pseudo_param_keys})


def read(parameters, given=None, unknown=()):
    """Read all parameters of a template but the pseudo parameters.

    :param parameters: a :class:`heat.engine.parameters.Parameters`.
    :param given: values, by name, that go over those of *parameters*.
    :param unknown: names of those whose value can't be known yet.
    :returns: name to :class:`rules.Reading`.
    """
    return {name: _read(parameters.params[name], (given or {}).get(name),
                        name in unknown)
            for name in parameters.non_pseudo_param_keys}


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
        # The message would hold the value.
        return rules.State.INVALID, None


def complete_stacks(infos):
    """Add the field to stacks all of whose parameters can be updated.

    Not in a list, where each key of each stack takes its time.
    """
    for info in infos:
        info.setdefault(FIELD)
    return infos
