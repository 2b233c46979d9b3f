# SPDX-License-Identifier: Apache-2.0

"""Schemata of parameters, and which of our words their template has."""

from heat.common import exception as heat_exception

from heat_extras.parameters import rules

# A schema whose template says, in either word, whether updates may change
# the parameter: Heat keeps only what it says.
_WRITTEN = 'heat_extras_updatable_is_written'


def says_whether_updatable(schema):
    """Return whether the template of a parameter has one of the words."""
    return getattr(schema, _WRITTEN, False)


def from_dict(original, param_name, schema_dict):
    """Make Heat's schema of a parameter, our word read and taken out."""
    # Heat complains itself of what is no mapping.
    if (not isinstance(schema_dict, dict)
            or not {*rules.WORDS}.intersection(schema_dict)):
        return original(param_name, schema_dict)
    schema = _parse(original, param_name, schema_dict)
    setattr(schema, _WRITTEN, True)
    return schema


def without_word(original, param_name, schema_dict):
    """Make Heat's schema of a parameter as if our word were not there.

    One that makes no sense is refused all the same: its template could not
    be read when the word counts again.
    """
    if (not isinstance(schema_dict, dict)
            or rules.UPDATABLE not in schema_dict):
        return original(param_name, schema_dict)
    _is_updatable(param_name, schema_dict)
    return original(param_name, _without(schema_dict))


def _parse(original, param_name, schema_dict):
    if rules.UPDATABLE not in schema_dict:
        return original(param_name, schema_dict)
    updatable = _is_updatable(param_name, schema_dict)
    return original(param_name, {**_without(schema_dict),
                                 rules.IMMUTABLE: not updatable})


def _is_updatable(param_name, schema_dict):
    try:
        return rules.is_updatable(param_name, schema_dict)
    except rules.FlagError as error:
        raise heat_exception.InvalidSchemaError(message=str(error)) from error


def _without(schema_dict):
    return {key: value for key, value in schema_dict.items()
            if key != rules.UPDATABLE}
