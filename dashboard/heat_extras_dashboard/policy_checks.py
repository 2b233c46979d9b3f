# SPDX-License-Identifier: Apache-2.0

"""Who may do what, asked once for a page.

Horizon asks its policies for each action of each row. Of stacks the answer is
the same in all rows: they are all of the project of the token.
"""

from openstack_dashboard import policy

_CACHE = 'heat_extras_policy_checks'


def is_allowed(request, rules):
    """Return whether who is logged in has all rights of these rules."""
    known = vars(request).setdefault(_CACHE, {})
    if rules not in known:
        known[rules] = policy.check(rules, request)
    return known[rules]


class CachedPolicyMixin:
    """For an action of a table, in place of its ``policy_rules``.

    :cvar rules: what these would be
    """

    rules = ()
    policy_rules = ()

    def allowed(self, request, datum=None):
        return (super().allowed(request, datum)
                and is_allowed(request, self.rules))
