# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.api.openstack.v1.views.stacks_view`."""

from heat_extras import monkey_patch

EXTENDS = 'heat.api.openstack.v1.views.stacks_view'


@monkey_patch.value(why='a list of stacks has only the keys in this set')
def basic_keys(original):
    return {*original, 'updatable'}
