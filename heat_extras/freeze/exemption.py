# SPDX-License-Identifier: Apache-2.0

"""Who may go on in a freeze: the caller's token decides, nothing else."""

from oslo_log import log as logging
from oslo_policy import policy

LOG = logging.getLogger(__name__)

#: What a rule can compare with what the token has.
TARGET = ('project_id', 'user_id')


def is_exempt(context, window):
    """Return whether a caller is exempt from a window."""
    if window.exempt is None:
        return False
    try:
        # Rules that it names are those of this host's policy file.
        return bool(context.policy.enforcer.enforce(
            policy.RuleDefault('freeze', window.exempt).check,
            {name: getattr(context, name) for name in TARGET},
            context.to_policy_values()))
    # Of a "%" that is none of Python's, or a server that is asked and away.
    except Exception as error:
        LOG.error('heat-extras: nobody is exempt from freeze %(freeze)s, for '
                  'its rule %(rule)r cannot be judged: %(error)s',
                  {'freeze': window.name, 'rule': window.exempt,
                   'error': error})
        return False
