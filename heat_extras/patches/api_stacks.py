# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.api.openstack.v1.stacks`: locks in a detailed list."""

from heat_extras import monkey_patch
from heat_extras.stack_lock import fields


@monkey_patch.extends('heat.api.openstack.v1.stacks:StackController',
                      feature='stack_lock')
class StackControllerMixin:

    @monkey_patch.wrap('(self, req)',
                       why='it creates the bodies itself, unlike other lists')
    def detail(self, original, req, *args, **kwargs):
        # The policy decorator takes the project, which is not in the
        # signature.
        return fields.add_fields_in_api(original(req, *args, **kwargs))
