# SPDX-License-Identifier: Apache-2.0

"""Read ``update_policy.allow`` of a resource definition.

It is kept apart from what Heat sees of ``update_policy``: Heat would take
it for an unknown key of the type's own policy, and a change of it for an
update of the resource.
"""

from heat.common import exception
from heat.engine import function
from heat.engine import rsrc_defn
from oslo_log import log as logging

from heat_extras.db import templates
from heat_extras.update_policy import rules

LOG = logging.getLogger(__name__)

KEY = templates.ALLOW

# A definition carries its allow here: parsed, with its functions.
ATTRIBUTE = 'heat_extras_allow'

_UNREADABLE = rules.Allow(update=False, replace=False)


class Guarded(dict):
    """A parsed ``update_policy`` without its ``allow``.

    :ivar allow: what stood there.
    """

    def __init__(self, policy):
        super().__init__({key: value for key, value in policy.items()
                          if key != KEY})
        self.allow = policy[KEY]


def is_written(definition):
    """Return whether the template has an ``allow`` for this resource."""
    return hasattr(definition, ATTRIBUTE)


def snippet(definition):
    """Return the ``allow`` of a definition, functions unresolved."""
    return getattr(definition, ATTRIBUTE)


def of(definition):
    """Return what a definition allows.

    :returns: a :class:`rules.Allow`. One that can't be read, which only a
        stack can have that was made without this check, forbids all.
    """
    if not is_written(definition):
        return rules.Allow()
    try:
        return rules.parse(function.resolve(snippet(definition)))
    except Exception as error:
        LOG.warning('The update_policy of resource %(name)s cannot be read, '
                    'everything is forbidden: %(error)s',
                    {'name': definition.name, 'error': error})
        return _UNREADABLE


def check(definition, parameters, is_as_written):
    """Check that the ``allow`` of a definition can be understood.

    :param parameters: the names of the parameters that the template has.
    :param is_as_written: False for a template that Heat may have generated,
        in which values of parameters are literals.
    :raises StackValidationFailed: with the path below the resource.
    """
    if not is_written(definition):
        return
    found = snippet(definition)
    path = [rsrc_defn.UPDATE_POLICY, KEY]
    try:
        _check_resolvable(found)
        function.validate(found, f'{rsrc_defn.UPDATE_POLICY}.{KEY}')
        rules.parse(function.resolve(found),
                    found if is_as_written else None)
    except exception.UserParameterMissing as error:
        # A template is validated without values; with values, Heat's own
        # check of the parameters tells which one is missing.
        if error.kwargs.get('key') not in parameters:
            raise
    except rules.RuleError as error:
        raise exception.StackValidationFailed(
            error='Update policy', path=path + error.path,
            message=f'{definition.name}: {error}') from None


def _check_resolvable(found):
    needed = sorted({proxy.name for proxy in function.dependencies(found)})
    if needed:
        raise rules.RuleError(
            f'found a reference to resource {", ".join(needed)}, wanted '
            'what is known before an update: true, false or get_param')
