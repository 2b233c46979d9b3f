# SPDX-License-Identifier: Apache-2.0

"""Stack.delete, which is abandon and the rollback of a create, too."""

from heat_extras.lifecycle import in_thread
from heat_extras.lifecycle import runner
from heat_extras.lifecycle import state
from heat_extras.lifecycle import traversal


def run(stack, delete, action, notify):
    """Delete a stack, if the plugins let it pass.

    :param delete: Heat's own way to do it; takes nothing.
    :param notify: Heat's NotifyEvent, which lets the caller go on.
    """
    known = state.of(stack)
    if action == stack.ROLLBACK and known.is_denied:
        # Nothing was created: nothing to roll back.
        return None
    known.notify = notify
    if stack.convergence:
        # Heat 24 and 25 abandon under the traversal of what still runs.
        traversal.tell_superseded(stack, stack.current_traversal)
    if not _is_allowed(stack, action):
        return None
    return _run(stack, delete)


def _is_allowed(stack, action):
    try:
        in_thread.begin(stack, action)
    except runner.Refused as refusal:
        stack.state_set(action, stack.FAILED, str(refusal))
        return False
    except Exception as error:
        stack.state_set(action, stack.FAILED,
                        in_thread.failure(error, action))
        raise
    return True


def _run(stack, delete):
    known = state.of(stack)
    known.is_deleting = True
    try:
        return delete()
    except in_thread.DeletionKept:
        return None
    finally:
        known.is_deleting = False
        in_thread.finish(stack, True)
