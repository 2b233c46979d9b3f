# SPDX-License-Identifier: Apache-2.0

"""Read and validate ``update_policy.allow`` of a resource definition.

It is stored separately from Heat's ``update_policy``. Otherwise Heat would
reject it as an unknown key of the resource type's policy, and a change of it
would be an update of the resource.
"""

import collections.abc
import contextlib
import copy

from heat.common import exception
from heat.engine import function
from heat.engine import rsrc_defn
from oslo_log import log as logging

from heat_extras.db import template_rewrite
from heat_extras.heat_internals import object_data
from heat_extras import rpc_request
from heat_extras import sanitize
from heat_extras.update_policy import rules

LOG = logging.getLogger(__name__)


KEY = template_rewrite.ALLOW

_POLICY = 'update_policy'

# The attribute of a definition with its allow: parsed, with functions.
ATTRIBUTE = 'heat_extras_allow'

_UNREADABLE = rules.Allow(update=False, replace=False)


class PolicyWithoutAllow(dict):
    """A parsed ``update_policy`` without its ``allow``.

    :ivar allow: the value of ``allow``.
    """

    def __init__(self, policy):
        super().__init__({key: value for key, value in policy.items()
                          if key != KEY})
        self.allow = policy[KEY]


def separate_allow(arguments):
    """Yield the arguments of a definition, with ``allow`` separated.

    :param arguments: pairs from CommonTemplate._rsrc_defn_args.
    """
    for key, value in arguments:
        if key == _POLICY and isinstance(value, collections.abc.Mapping):
            value = PolicyWithoutAllow(value)
        yield key, value


def is_in_resource(data, key):
    """Return whether a resource of a template has an ``allow``.

    :param data: the resource in the template.
    :param key: the key of the update policy.
    """
    return (isinstance(data, collections.abc.Mapping) and key in data
            and isinstance(data[key], collections.abc.Mapping)
            and KEY in data[key])


def find_in_template(document):
    """Return each ``allow`` of a HOT template, unparsed, by resource name."""
    resources = isinstance(document, dict) and document.get('resources')
    if not isinstance(resources, dict):
        return {}
    return {name: resource[_POLICY][KEY]
            for name, resource in resources.items()
            if is_in_resource(resource, _POLICY)}


def attach_allow(definition, arguments):
    """Move ``allow`` from the arguments of a new definition to an attribute.

    :returns: the arguments for Heat.
    """
    policy = arguments.get(_POLICY)
    if not isinstance(policy, PolicyWithoutAllow):
        return arguments
    setattr(definition, ATTRIBUTE, policy.allow)
    # For Heat, no policy and an empty policy are different.
    return {**arguments, _POLICY: dict(policy) or None}


def render_allow(definition, rendering):
    """Return the rendering of a definition with its ``allow``."""
    if not has_allow(definition):
        return rendering
    policy = {**(rendering.get(_POLICY) or {}),
              KEY: copy.deepcopy(get_snippet(definition))}
    return {**rendering, _POLICY: policy}


def ignores_allow(definition, other):
    """Return whether a comparison of two definitions ignores ``allow``."""
    return (isinstance(other, rsrc_defn.ResourceDefinition)
            and (_is_frozen(definition) or _is_frozen(other)))


def is_equal_without(definition, other):
    """Return whether two definitions are equal except for their ``allow``."""
    if hash(definition) != hash(other):
        return False
    return (_remove_allow(definition).render_hot()
            == _remove_allow(other).render_hot())


def _is_frozen(definition):
    return getattr(definition, '_frozen', False) and has_allow(definition)


def _remove_allow(definition):
    if not has_allow(definition):
        return definition
    bare = copy.copy(definition)
    delattr(bare, ATTRIBUTE)
    return bare


def has_allow(definition):
    """Return whether the template has an ``allow`` for this resource."""
    return hasattr(definition, ATTRIBUTE)


def get_snippet(definition):
    """Return the ``allow`` of a definition, with unresolved functions."""
    return getattr(definition, ATTRIBUTE)


def read_allow(definition, stack=None):
    """Return the parsed ``allow`` of a definition.

    :param stack: the stack of the resource, for the log.
    :returns: a :class:`rules.Allow`. If ``allow`` is not valid, it forbids
        everything. Only a stack that was created without validation can have
        such an ``allow``.
    """
    if not has_allow(definition):
        return rules.Allow()
    return _resolve_allow(definition.name, lambda: get_snippet(definition),
                          stack)


def _resolve_allow(name, get, stack):
    try:
        return rules.parse_allow(function.resolve(get()))
    except Exception as error:
        of_stack = (f' of stack {stack.name} ({stack.id})' if stack is not None
                    else '')
        LOG.warning('The update_policy of resource %(name)s%(stack)s cannot '
                    'be read, so updates and replacements of the resource are '
                    'forbidden. Correct update_policy.allow with an update of '
                    'the template. The error is: %(error)s',
                    {'name': sanitize.printable(name),
                     'stack': sanitize.printable(of_stack),
                     'error': sanitize.printable(error)})
        return _UNREADABLE


def is_in_template(template, name):
    """Return whether a template has a resource, whatever its condition."""
    return name in (template.t.get(template.RESOURCES) or {})


def read_allow_of_removed(definition, defn):
    """Return the ``allow`` of a resource that an update removes.

    If the new template has the resource with a false condition, the ``allow``
    in the new template is used.

    :param definition: the last applied definition.
    :param defn: the new heat.engine.stk_defn.StackDefinition.
    :returns: a :class:`rules.Allow`, see :func:`read_allow`.
    """
    if not is_in_template(defn.t, definition.name):
        return read_allow(definition)
    return _read_written(defn.t, definition.name, lambda written: defn.t.parse(
        defn, copy.deepcopy(written)))


def read_planned_allow(plan, name):
    """Return the known part of the ``allow`` in the new template of a plan.

    Keys whose values are not known before the update are not set.

    :param plan: the :mod:`heat_extras.plan.stack_plan` of the stack.
    :param name: of a resource that is in the template, maybe disabled.
    :returns: a :class:`rules.Allow`, see :func:`read_allow`.
    """
    return _read_written(plan.planned.t, name, plan.known_part, plan.planned)


def _read_written(template, name, parse, stack=None):
    written = template.t[template.RESOURCES][name]
    if not is_in_resource(written, _POLICY):
        return rules.Allow()
    return _resolve_allow(name, lambda: parse(written[_POLICY][KEY]), stack)


def check_definition(definition, parameters):
    """Check that the ``allow`` of a definition is valid.

    :param parameters: the parameters of the template, with their values.
    :raises StackValidationFailed: with the path below the resource.
    """
    if not has_allow(definition):
        return
    snippet = get_snippet(definition)
    path = [rsrc_defn.UPDATE_POLICY, KEY]
    try:
        _check_resolvable(snippet)
        function.validate(snippet, f'{rsrc_defn.UPDATE_POLICY}.{KEY}')
        rules.parse_allow(_resolve_functions(snippet, parameters), snippet)
    except exception.UserParameterMissing as error:
        # A template can be validated without values. With values, Heat's own
        # check names the missing parameter.
        if error.kwargs.get('key') not in parameters:
            raise
    except rules.RuleError as error:
        raise exception.StackValidationFailed(
            error=rules.SECTION, path=path + error.path,
            message=f'{definition.name}: {error}') from None


def _resolve_functions(snippet, parameters):
    try:
        return function.resolve(snippet)
    except exception.HeatException:
        raise
    except Exception as error:
        # Also the error for a boolean without a value
        # (heat.engine.parameters.BooleanParam.value).
        if not all(parameters.map(lambda each: each.has_value()).values()):
            return {}
        # The text of the error can contain the value of a hidden parameter.
        raise rules.RuleError(
            f'has a function that fails ({type(error).__name__}): use true, '
            'false or get_param of a parameter of the type boolean'
        ) from error


def _check_resolvable(snippet):
    needed = sorted({proxy.name for proxy in function.dependencies(snippet)})
    if needed:
        raise rules.RuleError(
            f'refers to resource {", ".join(needed)}: use values that are '
            'known before an update, like true, false or get_param')


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
        if has_allow(definition):
            object_data.of_stack(outermost).has_allow = True
            _check_definition(stack, definition)


def _check_definition(stack, definition):
    try:
        check_definition(definition, stack.parameters)
    except exception.StackValidationFailed as error:
        raise exception.StackValidationFailed(
            error=error.error,
            path=[stack.t.RESOURCES, definition.name,
                  stack.t.get_section_name(error.path[0]), *error.path[1:]],
            message=error.error_message) from None
