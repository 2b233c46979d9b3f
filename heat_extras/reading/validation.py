# SPDX-License-Identifier: Apache-2.0

"""Check the words of templates that Heat does not know."""

import contextvars

from heat.common import exception

from heat_extras.reading import idle
from heat_extras import scoped
from heat_extras.update_policy import allow
from heat_extras.update_policy import summary

# The outermost stack that is validated in this thread, and the names of the
# resources around the present one.
_validated = contextvars.ContextVar('heat_extras_validated', default=None)


def of(stack):
    """Say that a stack is validated, maybe inside of another one."""
    entry, path = _validated.get() or (stack, ())
    if entry is not stack and stack.parent_resource_name is not None:
        path = (*path, stack.parent_resource_name)
    return scoped.value(_validated, (entry, path))


def check(stack):
    """Check each ``allow`` of a stack, after Heat has checked the rest.

    :raises StackValidationFailed:
    """
    entry, path = _validated.get()
    guarded = []
    for name in sorted(stack.defn.enabled_rsrc_names()):
        definition = stack.defn.resource_definition(name)
        if allow.is_written(definition):
            guarded.append(name)
            setattr(entry, summary.MENTIONS, True)
            _check_definition(stack, definition)
    idle.remember(entry, path, stack, guarded)


def _check_definition(stack, definition):
    try:
        allow.check(definition, stack.parameters,
                    stack.parent_resource_name is None)
    except exception.StackValidationFailed as error:
        raise exception.StackValidationFailed(
            error=error.error,
            path=[stack.t.RESOURCES, definition.name,
                  stack.t.get_section_name(error.path[0]), *error.path[1:]],
            message=error.error_message) from None
