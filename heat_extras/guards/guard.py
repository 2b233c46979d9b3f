# SPDX-License-Identifier: Apache-2.0

"""The list of guards, and Heat's own ``restricted_actions`` in it."""

from heat_extras import guard
from heat_extras.guards import listing
from heat_extras.guards import restricted_actions


class ListGuard(guard.Guard):
    """Lists what other guards, and Heat itself, reject."""

    methods = {'stack_guards': listing.list_stack_guards}

    def list_guards(self, context, tree):
        return restricted_actions.list_guards(context, tree)
