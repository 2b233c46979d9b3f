# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.api.openstack.v1.actions`: actions for locks."""

from heat_extras import monkey_patch
from heat_extras.stack_lock import api


@monkey_patch.extends('heat.api.openstack.v1.actions:ActionController',
                      feature='stack_lock')
class ActionsMixin:

    @monkey_patch.wrap(
        '(self, req, tenant_id, stack_name, stack_id, body=None)',
        why='it ignores the result of the action, but a dry run has a body')
    def action(self, original, req, *args, **kwargs):
        original(req, *args, **kwargs)
        return api.engine_answer(req)

    @monkey_patch.value(why='the controller rejects actions that are not in '
                            'this tuple')
    def ACTIONS(original):
        return (*original, *api.FIELDS)

    @monkey_patch.add(why='the controller calls the method with the name of '
                          'the action')
    def __getattr__(self, name):
        return api.find_method(self, name)
