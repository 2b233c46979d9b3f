# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.hot.parameters`: ``updatable`` in templates."""

from heat_extras.heat_internals import signatures
from heat_extras import monkey_patch
from heat_extras.parameters import hot_schema

_WHY = ('the keys of a parameter are fixed in the class, and Heat cannot load '
        'a stack whose template has another key')


@monkey_patch.extends('heat.engine.hot.parameters:HOTParamSchema',
                      feature='template_syntax')
class HOTParamSchemaMixin:

    @monkey_patch.wrap(signatures.FROM_DICT, why=_WHY)
    def from_dict(cls, original, param_name, schema_dict):
        return hot_schema.from_dict(original, param_name, schema_dict)


@monkey_patch.extends('heat.engine.hot.parameters:HOTParamSchema20180302',
                      feature='template_syntax')
class HOTParamSchema20180302Mixin:

    @monkey_patch.wrap(signatures.FROM_DICT, why=_WHY)
    def from_dict(cls, original, param_name, schema_dict):
        return hot_schema.from_dict(original, param_name, schema_dict)
