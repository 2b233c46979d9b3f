# SPDX-License-Identifier: Apache-2.0

"""Check the words of templates that Heat does not know."""

import contextlib
import contextvars
import dataclasses

from heat.common import exception
from heat.engine.resources import template_resource
from heat.engine import rsrc_defn

from heat_extras import context_vars
from heat_extras.update_policy import allow
from heat_extras.update_policy import messages
from heat_extras.update_policy import policy_flag
from heat_extras.update_policy import rules

# A specification names it so in one sentence, and means an ``allow``.
_ACTIONS = 'actions'

_validated = contextvars.ContextVar('heat_extras_validated', default=None)


@dataclasses.dataclass(frozen=True)
class _Validated:
    """The stack that is validated in this thread now.

    :ivar entry: the outermost one.
    :ivar is_as_written: whether its template is as its author wrote it.
    """

    entry: object
    stack: object
    is_as_written: bool = True


def of(stack):
    """Say that a stack is validated, maybe inside of another one."""
    return context_vars.override(_validated, _inside(_validated.get(), stack))


def _inside(around, stack):
    name = stack.parent_resource_name
    if around is None or around.entry is stack or name is None:
        return _Validated(around.entry if around else stack, stack,
                          is_as_written=name is None)
    return _Validated(
        around.entry, stack,
        # All others generate the templates of their stacks.
        isinstance(around.stack.resources.get(name),
                   template_resource.TemplateResource))


@contextlib.contextmanager
def hints(stack):
    """Add to what Heat says of keys that belong in an ``allow``."""
    try:
        yield
    except exception.StackValidationFailed as error:
        said = _beside_allow(stack, error.path)
        if said is None:
            raise
        raise exception.StackValidationFailed(
            error=error.error, path=error.path,
            message=f'{error.error_message}. {messages.beside_allow(said)}'
        ) from None


def _beside_allow(stack, path):
    if len(path) != 3 or path[2] != stack.t.get_section_name(
            rsrc_defn.UPDATE_POLICY):
        return None
    policy = stack.t.t[path[0]][path[1]][path[2]]
    known = stack.resources[path[1]].update_policy_schema
    unknown = {key: value for key, value in policy.items()
               if key not in known}
    inside = unknown.get(_ACTIONS)
    written = {**(inside if isinstance(inside, dict) else {}), **unknown}
    found = {key: written[key] for key in rules.KEYS if key in written}
    return found if found or _ACTIONS in unknown else None


def check(stack):
    """Check each ``allow`` of a stack, after Heat has checked the rest.

    :raises StackValidationFailed:
    """
    found = _validated.get()
    for name in sorted(stack.defn.enabled_rsrc_names()):
        definition = stack.defn.resource_definition(name)
        if allow.is_written(definition):
            setattr(found.entry, policy_flag.HAS_ALLOW, True)
            _check_definition(stack, definition, found.is_as_written)


def _check_definition(stack, definition, is_as_written):
    try:
        allow.check(definition, stack.parameters, is_as_written)
    except exception.StackValidationFailed as error:
        raise exception.StackValidationFailed(
            error=error.error,
            path=[stack.t.RESOURCES, definition.name,
                  stack.t.get_section_name(error.path[0]), *error.path[1:]],
            message=error.error_message) from None
