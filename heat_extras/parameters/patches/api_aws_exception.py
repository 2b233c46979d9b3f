# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.api.aws.exception`: a refusal in the cfn API."""

from heat.api.aws import exception as aws_exception
from oslo_utils import reflection

from heat_extras import monkey_patch

EXTENDS = 'heat.api.aws.exception'

_REFUSALS = ('ImmutableParameterModified', 'ImmutableParameterModified_Remote')


@monkey_patch.wrap(
    '(ex)', why='Heat answers its own ImmutableParameterModified '
                'with 500 InternalFailure there')
def map_remote_error(original, ex):
    name = reflection.get_class_name(ex, fully_qualified=False)
    if name not in _REFUSALS:
        return original(ex)
    # Not returned as in Heat: the response would be 200.
    raise aws_exception.HeatInvalidParameterValueError(detail=ex.message)
