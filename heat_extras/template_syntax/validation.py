# SPDX-License-Identifier: Apache-2.0

"""Check the attributes of templates that Heat does not know."""

import contextlib
import contextvars

from heat.common import exception
from heat.engine import rsrc_defn

from heat_extras import context_vars
from heat_extras.update_policy import allow
from heat_extras.update_policy import policy_flag
from heat_extras.update_policy import rules

# A specification uses ``actions`` in one sentence, and means an ``allow``.
_MISPLACED = frozenset({*rules.KEYS, 'actions'})

_HINT = 'To restrict updates, write for example allow: {replace: false}'

# The outermost stack that is validated in this thread.
_entry = contextvars.ContextVar('heat_extras_validated', default=None)


def set_entry(stack):
    """Keep the outermost stack that is validated, in a context manager."""
    return context_vars.override(_entry, _entry.get() or stack)


@contextlib.contextmanager
def hints(stack):
    """Add to Heat's error about keys that belong in an ``allow``."""
    try:
        yield
    except exception.StackValidationFailed as error:
        if not _is_misplaced(stack, error.path):
            raise
        raise exception.StackValidationFailed(
            error=error.error, path=error.path,
            message=f'{error.error_message}. {_HINT}') from None


def _is_misplaced(stack, path):
    if len(path) != 3 or path[2] != stack.t.get_section_name(
            rsrc_defn.UPDATE_POLICY):
        return False
    policy = stack.t.t[path[0]][path[1]][path[2]]
    known = stack.resources[path[1]].update_policy_schema
    return bool(_MISPLACED.intersection(policy) - set(known))


def check(stack):
    """Check each ``allow`` of a stack, after Heat has checked the rest.

    :raises StackValidationFailed:
    """
    for name in sorted(stack.defn.enabled_rsrc_names()):
        definition = stack.defn.resource_definition(name)
        if allow.is_defined(definition):
            setattr(_entry.get(), policy_flag.HAS_ALLOW, True)
            _check_definition(stack, definition)


def _check_definition(stack, definition):
    try:
        allow.check(definition, stack.parameters)
    except exception.StackValidationFailed as error:
        raise exception.StackValidationFailed(
            error=error.error,
            path=[stack.t.RESOURCES, definition.name,
                  stack.t.get_section_name(error.path[0]), *error.path[1:]],
            message=error.error_message) from None
