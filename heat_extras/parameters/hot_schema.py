# SPDX-License-Identifier: Apache-2.0

"""Schemas of parameters, and whether their template has ``updatable``."""

from heat.common import exception as heat_exception
from oslo_config import cfg

from heat_extras.config_validation import validation
from heat_extras.parameters import rules

# Set on a schema whose template says, in either word, whether updates may
# change the parameter: Heat keeps only what it says.
_WRITTEN = 'heat_extras_updatable_is_written'


def says_whether_updatable(schema):
    """Return whether the template of a parameter has one of the words."""
    return getattr(schema, _WRITTEN, False)


def is_enforced():
    """Return whether the feature ``parameters`` is enabled."""
    return 'parameters' in validation.read_features(cfg.CONF)[0]


def from_dict(original, param_name, schema_dict):
    """Make Heat's schema of a parameter; ``updatable`` becomes ``immutable``.

    While the feature ``parameters`` is disabled, the value is checked and has
    no effect.
    """
    # Heat itself rejects a definition that is not a mapping.
    if (not isinstance(schema_dict, dict)
            or not {*rules.WORDS}.intersection(schema_dict)):
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
    setattr(schema, _WRITTEN, True)
    return schema
