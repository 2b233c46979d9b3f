# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.template_common`: ``allow`` in HOT."""

from heat.engine.hot import template as hot_template

from heat_extras import monkey_patch
from heat_extras.update_policy import allow


@monkey_patch.extends('heat.engine.template_common:CommonTemplate',
                      feature='template_syntax')
class TemplateMixin:

    @monkey_patch.wrap(
        '(self, stack, name, data)',
        why='Heat checks update_policy against the schema of each '
            'resource type, and third-party types have their own schema')
    def _rsrc_defn_args(self, original, stack, name, data):
        arguments = original(stack, name, data)
        if (isinstance(self, hot_template.HOTemplate20130523)
                and allow.is_in_resource(data, self.RES_UPDATE_POLICY)):
            return allow.separate_allow(arguments)
        return arguments
