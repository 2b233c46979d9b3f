# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.common.lifecycle_plugin_utils`: Heat's own calls.

The legacy engine, and Heat 24 and 25 for some actions, call plugins
themselves. These calls are replaced, so that no plugin is called twice.
"""

from heat_extras.lifecycle import legacy_engine
from heat_extras.lifecycle import pre_post
from heat_extras import monkey_patch

EXTENDS = 'heat.common.lifecycle_plugin_utils'
FEATURE = 'lifecycle'

_WHY = 'the function with which Heat itself calls plugins'


@monkey_patch.wrap('(cnxt, stack, current_stack=None, action=None)', why=_WHY)
def do_pre_ops(original, cnxt, stack, current_stack=None, action=None):
    if not pre_post.has_plugins():
        return original(cnxt, stack, current_stack, action)
    legacy_engine.start_at_pre_ops(stack, action or stack.action,
                                   current_stack)


@monkey_patch.wrap('(cnxt, stack, current_stack=None, action=None, '
                   'is_stack_failure=False)', why=_WHY)
def do_post_ops(original, cnxt, stack, current_stack=None, action=None,
                is_stack_failure=False):
    if not pre_post.has_plugins():
        return original(cnxt, stack, current_stack, action, is_stack_failure)
    # It is too late to let the operation fail. Stack.state_set does that.
    legacy_engine.run_post_calls(stack, is_stack_failure)
