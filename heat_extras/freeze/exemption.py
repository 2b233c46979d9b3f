# SPDX-License-Identifier: Apache-2.0

"""Who may go on in a freeze: the caller's token decides, nothing else."""

from oslo_policy import policy


def is_exempt(context, window):
    """Return whether a caller is exempt from a window."""
    if window.exempt is None:
        return False
    # Rules that it names are those of this host's policy file.
    return bool(context.policy.enforcer.enforce(
        policy.RuleDefault('freeze', window.exempt).check,
        {'project_id': context.project_id, 'user_id': context.user_id},
        context.to_policy_values()))
