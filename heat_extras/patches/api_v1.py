# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.api.openstack.v1`: routes."""

from heat_extras import features
from heat_extras import monkey_patch


@monkey_patch.extends('heat.api.openstack.v1:API')
class APIMixin:

    @monkey_patch.wrap(
        '(self, conf, **local_conf)',
        why='the router creates its routes from literals here. Routes '
            'can be added until the first request')
    def __init__(self, original, conf, **local_conf):
        original(conf, **local_conf)
        features.connect_routes(self.map, conf)
