# SPDX-License-Identifier: Apache-2.0

"""Read and check the parameters of Heat's objects, and make their schemas."""

from heat.common import exception as heat_exception
from heat.engine import parameters as heat_parameters
from oslo_config import cfg

from heat_extras import config_validation
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


def add_field(info, updatable):
    """Add the field to the body of a stack, if it is not empty.

    :param updatable: see :func:`updatable_column`.
    """
    if updatable:
        info[FIELD] = updatable


def add_updatable_field(context, stacks):
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


def keep_spelling(old, new, given, flags=None):
    """Keep the stored spelling of each immutable parameter of equal value.

    Otherwise, functions would return another text for the same value.

    :param old: as in :func:`find_violations`, like *new*, which is changed.
    :param given: the stored values of *new* by name. They are changed, too.
    :param flags: the parameters that state what is immutable, default: *new*.
    :returns: whether a value has been changed.
    """
    checked, is_kept = (new if flags is None else flags).params, False
    for name in {*new.non_pseudo_param_keys} & {*old.non_pseudo_param_keys}:
        before, after = old.params[name], new.params[name]
        if checked[name].schema.immutable and _is_other_spelling(
                before, after, name in given):
            given[name] = _raw_value(before)
            new.params[name] = heat_parameters.Parameter(name, after.schema,
                                                         given[name])
            is_kept = True
    return is_kept


def _is_other_spelling(before, after, is_given):
    known = [_read_value(each) for each in (before, after)]
    if {state for state, _ in known} != {rules.ValueState.KNOWN} or (
            rules.is_changed(*(
                rules.ParameterState(each.schema.type, value=value)
                for each, (_, value) in zip((before, after), known,
                                            strict=True)))):
        return False
    if after.schema.hidden and not isinstance(_raw_value(before), str):
        # Heat encrypts only text.
        return False
    # A default is kept only if functions would return another text.
    texts = ([repr(_raw_value(each)) for each in (before, after)] if is_given
             else [repr(value) for _, value in known])
    return texts[0] != texts[1]


def _raw_value(parameter):
    return (parameter.default() if parameter.user_value is None
            else parameter.user_value)


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


def has_updatable_attribute(schema):
    """Return whether a parameter has ``updatable`` or ``immutable``."""
    return schema.immutable is not False


def is_enforced():
    """Return whether the feature ``parameters`` is enabled."""
    return 'parameters' in config_validation.read_features(cfg.CONF)[0]


def from_dict(original, param_name, schema_dict):
    """Make Heat's schema of a parameter, with ``updatable`` as ``immutable``.

    While the feature ``parameters`` is disabled, the value is checked but has
    no effect.
    """
    # Heat itself rejects a definition that is not a mapping.
    if (not isinstance(schema_dict, dict)
            or not {*rules.ATTRIBUTES}.intersection(schema_dict)):
        return original(param_name, schema_dict)
    known = {key: value for key, value in schema_dict.items()
             if key != rules.UPDATABLE}
    if rules.UPDATABLE in schema_dict:
        try:
            is_updatable = rules.is_updatable(param_name, schema_dict)
        except rules.FlagError as error:
            raise heat_exception.InvalidSchemaError(
                message=str(error)) from error
        if is_enforced():
            known[rules.IMMUTABLE] = not is_updatable
    schema = original(param_name, known)
    # Heat has False for a parameter without either attribute.
    schema.immutable = schema.immutable or None
    return schema
