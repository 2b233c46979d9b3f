# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.parameters`: values are compared by meaning."""

from heat_extras import monkey_patch
from heat_extras.parameters import guard
from heat_extras.parameters import values


@monkey_patch.extends('heat.engine.parameters:Parameters',
                      feature='parameters')
class ParametersMixin:

    @monkey_patch.wrap('(self, new_parameters, input_params)',
                       why='it compares the old typed value with the new raw '
                           'value, so that another spelling is a change')
    def immutable_params_modified(self, original, new_parameters,
                                  input_params):
        if guard.postpone_check(self, new_parameters, input_params):
            return None
        return list(values.find_violations(self, new_parameters,
                                           input_params)) or None

    @monkey_patch.add(why='the plan of an update has the parameters that a '
                          'nested stack would store')
    def keep_stored_spelling(self, new_parameters, input_params):
        """Keep the spelling of immutable parameters in a planned stack."""
        values.keep_spelling(self, new_parameters, input_params)
