# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.api.openstack.v1.views.stacks_view`."""

from heat_extras import patching

EXTENDS = 'heat.api.openstack.v1.views.stacks_view'


@patching.value(why='a list of stacks shows the keys that are listed here')
def basic_keys(original):
    return {*original, 'updatable'}
