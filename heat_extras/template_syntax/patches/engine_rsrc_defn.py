# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.engine.rsrc_defn`: a definition carries its ``allow``.

It stands beside the definition's update policy, not in it. So no resource
type sees it, and two definitions that differ in nothing else are the same
to an update; yet it is stored with the template again.
"""

import copy

from heat.engine import function

from heat_extras import monkey_patch
from heat_extras.update_policy import allow


@monkey_patch.extends('heat.engine.rsrc_defn:ResourceDefinition')
class UpdatePolicyDefinitionMixin:
    """Extends heat.engine.rsrc_defn:ResourceDefinition."""

    @monkey_patch.wrap(
        '(self, name, resource_type, properties=None, metadata=None, '
        'depends=None, deletion_policy=None, update_policy=None, '
        'description=None, external_id=None, condition=None)',
        why='the one place through which every definition comes')
    def __init__(self, original, *args, **kwargs):
        original(*args, **allow.attach(self, kwargs))

    @monkey_patch.wrap(
        '(self, **overrides)',
        why='a frozen definition is made from listed attributes')
    def freeze(self, original, **overrides):
        frozen = original(**overrides)
        if frozen is not self and allow.is_defined(self):
            setattr(frozen, allow.ATTRIBUTE,
                    function.resolve(allow.snippet(self)))
        return frozen

    @monkey_patch.wrap(
        '(self, stack, template)',
        why='a reparsed definition is made from listed attributes')
    def reparse(self, original, stack, template):
        parsed = original(stack, template)
        if allow.is_defined(self):
            setattr(parsed, allow.ATTRIBUTE, template.parse(
                stack, copy.deepcopy(allow.snippet(self))))
        return parsed

    @monkey_patch.wrap('(self)', why='templates are stored from it')
    def render_hot(self, original):
        return allow.render(self, original())

    @monkey_patch.wrap('(self, other)',
                       why='Resource.update compares frozen definitions: a '
                           'change of allow alone is not an update')
    def __eq__(self, original, other):
        if allow.is_ignored(self, other):
            return allow.is_equal_without(self, other)
        return original(other)
