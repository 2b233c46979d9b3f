# SPDX-License-Identifier: Apache-2.0

"""Make schemas of parameters that have ``updatable``."""

from heat.common import exception as heat_exception
from oslo_config import cfg

from heat_extras.config_validation import validation
from heat_extras.parameters import rules


def has_updatable_attribute(schema):
    """Return whether a parameter has ``updatable`` or ``immutable``."""
    return schema.immutable is not False


def is_enforced():
    """Return whether the feature ``parameters`` is enabled."""
    return 'parameters' in validation.read_features(cfg.CONF)[0]


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
