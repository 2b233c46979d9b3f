# SPDX-License-Identifier: Apache-2.0

"""Templates that contradict each other, rejected before they make a stack.

An update would find that a resource allows what one around it forbids, and
none would pass.
"""

from heat.common import exception
from heat.engine import function
from heat.engine.resources import stack_resource
from oslo_log import log as logging

from heat_extras import sanitize
from heat_extras.update_plan import group_templates
from heat_extras.update_policy import allow
from heat_extras.update_policy import inherited_policy
from heat_extras.update_policy import messages
from heat_extras.update_policy import rules

LOG = logging.getLogger(__name__)

# In a path, for members whose names nobody knows yet.
_ANY_MEMBER = '*'


def check(stack):
    """Refuse a root stack whose templates contradict each other.

    :param stack: one that is validated, with the templates to come.
    :raises StackValidationFailed: naming each pair.
    """
    if stack.parent_resource_name is not None:
        # Its parent has looked at it, or the plan of the update does.
        return
    found = list(_in_stack(stack, inherited_policy.ROOT))
    if found:
        raise exception.StackValidationFailed(
            error=messages.SECTION, message=sanitize.listing(found))


def _in_stack(stack, inherited, is_known=True, shown=None):
    """Yield a text for each contradiction.

    :param shown: stands for the names of all of its resources.
    """
    # Where values of other resources are missing, whatever hangs on a value
    # may be otherwise once they are there.
    for name in sorted(stack.defn.enabled_rsrc_names()):
        definition = stack.defn.resource_definition(name)
        if not is_known and definition.condition() is not None:
            continue
        called = shown or name
        said = _said(definition, is_known)
        for key in rules.conflicts(inherited.policy, said):
            yield messages.conflict(inherited.path_of(called), key,
                                    getattr(inherited.policy, key))
        inside = inherited.under(called, inherited.restrict(called, said))
        if not inside.policy.is_free:
            yield from _in_nested(
                stack.resources[name], inside, is_known and not any(
                    function.dependencies(definition._properties)))


def _in_nested(resource, inherited, is_known):
    if not isinstance(resource, stack_resource.StackResource):
        return
    try:
        # Of a group, one with a single member.
        nested = resource.get_nested_parameters_stack()
        found = [] if nested is None else list(_in_stack(
            nested, inherited, is_known, shown=_ANY_MEMBER
            if group_templates.has_random_names(resource) else None))
    except Exception as error:
        # What Heat can't make of it now, its own validation tells or not.
        LOG.debug('Not looked for contradictions: nested stack %(path)s: '
                  '%(kind)s', {'path': '/'.join(inherited.path),
                               'kind': type(error).__name__})
        return
    yield from found


def _said(definition, is_known):
    """Return what is certain of an ``allow``, while values may be missing."""
    if not allow.is_written(definition):
        return rules.Allow()
    found = allow.snippet(definition)
    try:
        return rules.parse(function.resolve(found) if is_known else found)
    except Exception:
        # Told by the check of the template that it stands in.
        return rules.Allow()
