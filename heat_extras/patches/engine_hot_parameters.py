# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.hot.parameters`: ``updatable`` in templates."""

from heat_extras import monkey_patch
from heat_extras.parameters import values


@monkey_patch.wrap('(cls, param_name, schema_dict)',
                   why='the keys of a parameter are fixed in the class, and '
                       'Heat cannot load a stack whose template has another '
                       'key')
def _from_dict(cls, original, param_name, schema_dict):
    return values.from_dict(original, param_name, schema_dict)


@monkey_patch.extends('heat.engine.hot.parameters:HOTParamSchema',
                      feature='template_syntax')
class HOTParamSchemaMixin:

    from_dict = _from_dict


@monkey_patch.extends('heat.engine.hot.parameters:HOTParamSchema20180302',
                      feature='template_syntax')
class HOTParamSchema20180302Mixin:

    # Its method does not call that of the base class.
    from_dict = _from_dict
