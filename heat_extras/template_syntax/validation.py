# SPDX-License-Identifier: Apache-2.0

"""Validate ``update_policy.allow`` in templates."""

import contextlib

from heat.common import exception
from heat.engine import rsrc_defn

from heat_extras.heat_internals import object_data
from heat_extras import rpc_request
from heat_extras.update_policy import allow
from heat_extras.update_policy import rules

# A specification calls ``allow`` ``actions`` in one sentence.
_MISPLACED = frozenset({*rules.KEYS, 'actions'})

_HINT = 'To restrict updates, write for example allow: {replace: false}'


@contextlib.contextmanager
def set_outermost_stack(stack):
    """Set the outermost stack of a validation in a request."""
    request = rpc_request.current()
    if request is None or request.validated_stack is not None:
        yield
        return
    request.validated_stack = stack
    try:
        yield
    finally:
        request.validated_stack = None


@contextlib.contextmanager
def add_hints(stack):
    """Add a hint to Heat's error if a key belongs in an ``allow``."""
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


def check_allow(stack):
    """Check each ``allow`` of a stack, after Heat's own validation.

    :raises StackValidationFailed: if an ``allow`` is not valid.
    """
    request = rpc_request.current()
    outermost = stack if request is None else request.validated_stack
    for name in sorted(stack.defn.enabled_rsrc_names()):
        definition = stack.defn.resource_definition(name)
        if allow.has_allow(definition):
            object_data.of_stack(outermost).has_allow = True
            _check_definition(stack, definition)


def _check_definition(stack, definition):
    try:
        allow.check_definition(definition, stack.parameters)
    except exception.StackValidationFailed as error:
        raise exception.StackValidationFailed(
            error=error.error,
            path=[stack.t.RESOURCES, definition.name,
                  stack.t.get_section_name(error.path[0]), *error.path[1:]],
            message=error.error_message) from None
