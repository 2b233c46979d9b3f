# SPDX-License-Identifier: Apache-2.0

"""Who may go on in a freeze: the caller's token decides, nothing else."""

from oslo_log import log as logging
from oslo_policy import policy

from heat_extras.freeze import exempt_parts
from heat_extras.freeze import words

LOG = logging.getLogger(__name__)


def is_exempt(context, window):
    """Return whether a caller is exempt from a window."""
    if window.exempt is None:
        return False
    try:
        return _is_true(policy.RuleDefault('freeze', window.exempt).check,
                        context)
    # Of a "%" that is none of Python's, or a server that is asked and away.
    except Exception as error:
        LOG.error('heat-extras: nobody is exempt from freeze %(freeze)s, for '
                  'its rule %(rule)r cannot be judged: %(error)s',
                  {'freeze': window.name, 'rule': window.exempt,
                   'error': error})
        return False


def _is_true(check, context):
    # Rules that it names are those of this host's policy file.
    enforcer = context.policy.enforcer
    enforcer.load_rules()
    for each in exempt_parts.missing(check, enforcer.rules):
        if each.is_negated:
            raise LookupError(words.no_such(each.found))
    return bool(enforcer.enforce(
        check, {name: getattr(context, name) for name in exempt_parts.TARGET},
        context.to_policy_values()))
