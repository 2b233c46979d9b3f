# SPDX-License-Identifier: Apache-2.0

"""The rule of oslo.policy in ``exempt`` of a window, for a caller."""

from oslo_log import log as logging
from oslo_policy import policy

from heat_extras.freeze import file_parser

LOG = logging.getLogger(__name__)


def is_exempt(context, window):
    """Return whether the caller's token exempts from a window."""
    if window.exempt is None:
        return False
    try:
        # Rules that it names are those of this host's policy file.
        enforcer = context.policy.enforcer
        enforcer.load_rules()
        return bool(enforcer.enforce(
            policy.RuleDefault('freeze', window.exempt).check,
            {name: getattr(context, name) for name in file_parser.TARGET},
            context.to_policy_values()))
    # Of a server that is asked and unavailable, for instance.
    except Exception as error:
        LOG.error('heat-extras: the rule %(rule)r of freeze %(freeze)s '
                  'exempts no caller, because it cannot be evaluated: '
                  '%(error)s',
                  {'freeze': window.name, 'rule': window.exempt,
                   'error': error})
        return False
