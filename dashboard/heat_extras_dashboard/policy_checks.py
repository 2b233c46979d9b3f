# SPDX-License-Identifier: Apache-2.0

"""Checks of policy rules, each once for a page.

Horizon checks its policy rules for each action of each row. For stacks, the
result is the same in all rows, because they belong to the same project.
"""

from openstack_dashboard import policy

_CACHE = 'heat_extras_policy_checks'


def is_allowed(request, rules):
    """Return whether the user passes all of the rules."""
    known = vars(request).setdefault(_CACHE, {})
    if rules not in known:
        known[rules] = policy.check(rules, request)
    return known[rules]


class CachedPolicyMixin:
    """A table action with ``rules`` in place of ``policy_rules``.

    :cvar rules: pairs of service and rule.
    """

    rules = ()
    policy_rules = ()

    def allowed(self, request, datum=None):
        return (super().allowed(request, datum)
                and is_allowed(request, self.rules))
