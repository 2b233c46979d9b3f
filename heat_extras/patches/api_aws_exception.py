# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.api.aws.exception`: faults in the cfn API."""

from heat.api.aws import exception as aws_exception
from oslo_utils import reflection

from heat_extras import features
from heat_extras import monkey_patch

EXTENDS = 'heat.api.aws.exception'

_REMOTE = '_Remote'


@monkey_patch.wrap(
    '(ex)', why='the map from engine errors to those of the cfn API is a '
                'chain of ifs over class names. The answer to its own '
                'ImmutableParameterModified is 500 InternalFailure')
def map_remote_error(original, ex):
    name = reflection.get_class_name(ex, fully_qualified=False)
    error = features.find_cfn_error(name.removesuffix(_REMOTE))
    if error is None:
        return original(ex)
    # Not returned: StackController.delete would return it to its caller, and
    # the response would be 200.
    raise getattr(aws_exception, error)(detail=ex.message)
