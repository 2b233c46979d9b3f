# SPDX-License-Identifier: Apache-2.0

"""The guards that providers install: lifecycle plugins."""

from heat_extras import guard
from heat_extras.lifecycle import plugin as plugins
from heat_extras.lifecycle import registry
from heat_extras.lifecycle import words

# The actions that plugins are called before.
_STOPS = ('update', 'replace', 'delete', 'abandon', 'suspend', 'resume',
          'check', 'snapshot', 'restore', 'lock', 'unlock')


def list_guards(context, found):
    """List the plugins that may deny an action; no query.

    What a plugin will say is its own affair: each is told once, for the
    stack that was asked for.
    """
    return [guard.Guard(
        kind='plugin', stack_id=found.stack.id, name=plugin.name,
        stops=_STOPS,
        reason=words.ASKED, lifted_by=words.OPERATOR,
        how_to_lift=words.HOW_TO_LIFT)
        for plugin in registry.ordered()
        if plugin.mode == plugins.FAIL and plugin.method('do_pre_op')]
