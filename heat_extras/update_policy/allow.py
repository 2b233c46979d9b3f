# SPDX-License-Identifier: Apache-2.0

"""Read ``update_policy.allow`` of a resource definition.

It is kept apart from what Heat sees of ``update_policy``: Heat would take
it for an unknown key of the type's own policy, and a change of it for an
update of the resource.
"""

import collections.abc
import copy

from heat.common import exception
from heat.engine import function
from heat.engine import rsrc_defn
from oslo_log import log as logging

from heat_extras.db import template_rewrite
from heat_extras import sanitize
from heat_extras.update_policy import messages
from heat_extras.update_policy import rules

LOG = logging.getLogger(__name__)

KEY = template_rewrite.ALLOW

_POLICY = 'update_policy'

# A definition carries its allow here: parsed, with its functions.
ATTRIBUTE = 'heat_extras_allow'

_UNREADABLE = rules.Allow(update=False, replace=False)


class PolicyWithoutAllow(dict):
    """A parsed ``update_policy`` without its ``allow``.

    :ivar allow: the value of it.
    """

    def __init__(self, policy):
        super().__init__({key: value for key, value in policy.items()
                          if key != KEY})
        self.allow = policy[KEY]


def separate_allow(arguments):
    """Yield the arguments of a definition, an ``allow`` made known.

    :param arguments: pairs, as of CommonTemplate._rsrc_defn_args.
    """
    for key, value in arguments:
        if key == _POLICY and isinstance(value, collections.abc.Mapping):
            value = PolicyWithoutAllow(value)
        yield key, value


def is_in_resource(data, key):
    """Return whether a resource of a template has an ``allow``.

    :param data: what the template says of it.
    :param key: where an update policy stands.
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
    """Take what is allowed out of the arguments of a new definition.

    :returns: the arguments that Heat takes.
    """
    policy = arguments.get(_POLICY)
    if not isinstance(policy, PolicyWithoutAllow):
        return arguments
    setattr(definition, ATTRIBUTE, policy.allow)
    # No policy and an empty one are a difference to Heat.
    return {**arguments, _POLICY: dict(policy) or None}


def render_allow(definition, rendering):
    """Return the rendering of a definition with its ``allow``."""
    if not has_allow(definition):
        return rendering
    policy = {**(rendering.get(_POLICY) or {}),
              KEY: copy.deepcopy(get_snippet(definition))}
    return {**rendering, _POLICY: policy}


def ignores_allow(one, other):
    """Return whether two definitions are compared by what an update does."""
    return (isinstance(other, rsrc_defn.ResourceDefinition)
            and (_is_frozen(one) or _is_frozen(other)))


def is_equal_without(one, other):
    """Return whether two definitions differ in nothing but their ``allow``."""
    if hash(one) != hash(other):
        return False
    return _remove_allow(one).render_hot() == _remove_allow(other).render_hot()


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
    """Return the ``allow`` of a definition, functions unresolved."""
    return getattr(definition, ATTRIBUTE)


def read_allow(definition):
    """Return what a definition allows.

    :returns: a :class:`rules.Allow`. One that can't be read, which only a
        stack can have that was made without this check, forbids all.
    """
    if not has_allow(definition):
        return rules.Allow()
    return _resolve_allow(definition.name, lambda: get_snippet(definition))


def _resolve_allow(name, get):
    try:
        return rules.parse_allow(function.resolve(get()))
    except Exception as error:
        LOG.warning('The update_policy of resource %(name)s cannot be read, '
                    'everything is forbidden: %(error)s',
                    {'name': sanitize.printable(name),
                     'error': sanitize.printable(error)})
        return _UNREADABLE


def is_in_template(template, name):
    """Return whether a template has a resource, whatever its condition."""
    return name in (template.t.get(template.RESOURCES) or {})


def read_allow_of_removed(definition, defn):
    """Return what is said of a resource that an update removes.

    A template that has it, with a condition that is false, says so.

    :param definition: the one that was last applied.
    :param defn: the new heat.engine.stk_defn.StackDefinition.
    :returns: a :class:`rules.Allow`, as :func:`read_allow`.
    """
    name = definition.name
    if not is_in_template(defn.t, name):
        return read_allow(definition)
    written = defn.t.t[defn.t.RESOURCES][name]
    if not is_in_resource(written, _POLICY):
        return rules.Allow()
    return _resolve_allow(name, lambda: defn.t.parse(
        defn, copy.deepcopy(written[_POLICY][KEY])))


def check_definition(definition, parameters):
    """Check that the ``allow`` of a definition is valid.

    :param parameters: those of the template, with their values.
    :raises StackValidationFailed: with the path below the resource.
    """
    if not has_allow(definition):
        return
    found = get_snippet(definition)
    path = [rsrc_defn.UPDATE_POLICY, KEY]
    try:
        _check_resolvable(found)
        function.validate(found, f'{rsrc_defn.UPDATE_POLICY}.{KEY}')
        rules.parse_allow(_resolve_functions(found, parameters), found)
    except exception.UserParameterMissing as error:
        # A template is validated without values. With values, Heat's own
        # check of the parameters names the missing one.
        if error.kwargs.get('key') not in parameters:
            raise
    except rules.RuleError as error:
        raise exception.StackValidationFailed(
            error=messages.SECTION, path=path + error.path,
            message=f'{definition.name}: {error}') from None


def _resolve_functions(found, parameters):
    try:
        return function.resolve(found)
    except exception.HeatException:
        raise
    except Exception as error:
        # Also what comes of a boolean without a value
        # (heat.engine.parameters.BooleanParam.value).
        if not all(parameters.map(lambda each: each.has_value()).values()):
            return {}
        # What the error says may be of a parameter that is hidden.
        raise rules.RuleError(
            f'has a function that fails ({type(error).__name__}): use true, '
            'false or get_param of a parameter of the type boolean'
        ) from error


def _check_resolvable(found):
    needed = sorted({proxy.name for proxy in function.dependencies(found)})
    if needed:
        raise rules.RuleError(
            f'refers to resource {", ".join(needed)}: use values that are '
            'known before an update (true, false or get_param)')
