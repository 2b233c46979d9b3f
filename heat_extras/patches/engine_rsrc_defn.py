# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.rsrc_defn`: a definition has its ``allow``.

The ``allow`` is an attribute beside the update policy of the definition. So
no resource type receives it, and a change of ``allow`` alone is no update of
the resource. It is stored with the template.
"""

import copy

from heat.engine import function

from heat_extras import monkey_patch
from heat_extras.update_policy import allow


@monkey_patch.extends('heat.engine.rsrc_defn:ResourceDefinition',
                      feature='template_syntax')
class DefinitionMixin:

    @monkey_patch.wrap(
        '(self, name, resource_type, properties=None, metadata=None, '
        'depends=None, deletion_policy=None, update_policy=None, '
        'description=None, external_id=None, condition=None)',
        why='the constructor of every definition')
    def __init__(self, original, *args, **kwargs):
        original(*args, **allow.attach_allow(self, kwargs))

    @monkey_patch.wrap(
        '(self, **overrides)',
        why='a frozen definition is made from a fixed list of attributes')
    def freeze(self, original, **overrides):
        frozen = original(**overrides)
        if frozen is not self and allow.has_allow(self):
            setattr(frozen, allow.ATTRIBUTE,
                    function.resolve(allow.get_snippet(self)))
        return frozen

    @monkey_patch.wrap(
        '(self, stack, template)',
        why='a reparsed definition is made from a fixed list of attributes')
    def reparse(self, original, stack, template):
        parsed = original(stack, template)
        if allow.has_allow(self):
            setattr(parsed, allow.ATTRIBUTE, template.parse(
                stack, copy.deepcopy(allow.get_snippet(self))))
        return parsed

    @monkey_patch.wrap('(self)', why='the stored template is made from it')
    def render_hot(self, original):
        return allow.render_allow(self, original())

    @monkey_patch.wrap('(self, other)',
                       why='Resource.update compares frozen definitions: a '
                           'change of allow alone is not an update')
    def __eq__(self, original, other):
        if allow.ignores_allow(self, other):
            return allow.is_equal_without(self, other)
        return original(other)
