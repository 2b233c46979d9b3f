# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.api.openstack.v1`: a route for freezes."""

from heat_extras.freeze import controller
from heat_extras import monkey_patch


@monkey_patch.extends('heat.api.openstack.v1:API')
class FreezeAPIMixin:
    """Extends heat.api.openstack.v1:API."""

    @monkey_patch.wrap(
        '(self, conf, **local_conf)',
        why='the router creates its routes from literals here. Routes '
            'can be added until the first request')
    def __init__(self, original, conf, **local_conf):
        original(conf, **local_conf)
        controller.connect(self.map, conf)
