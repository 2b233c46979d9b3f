# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.common.lifecycle_plugin_utils`: Heat's own calls.

The legacy engine, and Heat 24 and 25 for some actions, call plugins
themselves. They are led here, so that nothing is called twice, and in the
same way everywhere.
"""

from heat_extras.lifecycle import calls
from heat_extras.lifecycle import in_thread
from heat_extras.lifecycle import runner
from heat_extras import patching

EXTENDS = 'heat.common.lifecycle_plugin_utils'

_WHY = 'the place where Heat calls plugins itself'


@patching.wrap('(cnxt, stack, current_stack=None, action=None)', why=_WHY)
def do_pre_ops(original, cnxt, stack, current_stack=None, action=None):
    if not calls.are_wanted():
        return original(cnxt, stack, current_stack, action)
    if in_thread.of(stack) is not None:
        # Stack.delete of ours has asked them, before Heat began.
        return
    try:
        in_thread.begin(stack, action or stack.action, current_stack)
    except runner.Refused as refusal:
        # Heat's callers show the first argument of any exception.
        raise Exception(str(refusal)) from refusal
    except Exception as error:
        raise Exception(in_thread.failure(error, action or stack.action)
                        ) from error


@patching.wrap('(cnxt, stack, current_stack=None, action=None, '
               'is_stack_failure=False)', why=_WHY)
def do_post_ops(original, cnxt, stack, current_stack=None, action=None,
                is_stack_failure=False):
    if not calls.are_wanted():
        return original(cnxt, stack, current_stack, action,
                        is_stack_failure)
    # Too late to make the operation fail: done in Stack.state_set.
    in_thread.finish(stack, is_stack_failure)
