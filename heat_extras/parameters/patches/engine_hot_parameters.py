# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.hot.parameters`: ``updatable`` in templates."""

from heat.common import exception as heat_exception

from heat_extras.parameters import rules
from heat_extras import patching

_WHY = ('the keys of a parameter are fixed in the class, and so are the '
        'arguments that its constructor takes')
_SIGNATURE = '(cls, param_name, schema_dict)'


# A schema whose template says, in either word, whether updates may change
# the parameter: Heat keeps only what it says.
_WRITTEN = 'heat_extras_updatable_is_written'


def says_whether_updatable(schema):
    """Return whether the template of a parameter has one of the words."""
    return getattr(schema, _WRITTEN, False)


def _from_dict(original, param_name, schema_dict):
    # Heat complains itself of what is no mapping.
    if (not isinstance(schema_dict, dict)
            or not {*rules.WORDS}.intersection(schema_dict)):
        return original(param_name, schema_dict)
    schema = _parse(original, param_name, schema_dict)
    setattr(schema, _WRITTEN, True)
    return schema


def _parse(original, param_name, schema_dict):
    if rules.UPDATABLE not in schema_dict:
        return original(param_name, schema_dict)
    try:
        updatable = rules.is_updatable(param_name, schema_dict)
    except rules.FlagError as error:
        raise heat_exception.InvalidSchemaError(message=str(error)) from error
    known = {key: value for key, value in schema_dict.items()
             if key != rules.UPDATABLE}
    return original(param_name, {**known, rules.IMMUTABLE: not updatable})


@patching.extends('heat.engine.hot.parameters:HOTParamSchema')
class HOTParamSchemaMixin:
    """Extends heat.engine.hot.parameters:HOTParamSchema, 2013 to 2017."""

    @patching.wrap(_SIGNATURE, why=_WHY)
    def from_dict(cls, original, param_name, schema_dict):
        return _from_dict(original, param_name, schema_dict)


@patching.extends('heat.engine.hot.parameters:HOTParamSchema20180302')
class HOTParamSchema20180302Mixin:
    """Extends HOTParamSchema20180302, whose from_dict calls no other."""

    @patching.wrap(_SIGNATURE, why=_WHY)
    def from_dict(cls, original, param_name, schema_dict):
        return _from_dict(original, param_name, schema_dict)
