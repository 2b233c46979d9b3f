# SPDX-License-Identifier: Apache-2.0

"""The threads that an engine has for each stack.

Pure: nothing of Heat is imported.
"""

import typing

# So many are left alone: most stacks never have more.
_FEW = 100


def forget_ended(manager: typing.Any, stack_id: str) -> None:
    """Let a stack have new threads in place of those that have ended.

    Without eventlet Heat keeps each one that it has started for a stack
    (heat.engine.service, ThreadGroup.add_thread), and from the thousandth on,
    events and signals among them, each operation of that stack that needs one
    is an error in this engine, until it starts anew.

    :param manager: a heat.engine.service.ThreadGroupManager.
    """
    group = manager.groups.get(stack_id)
    if group is None or len(group.threads) < _FEW:
        return
    for thread in list(group.threads):
        # Those of eventlet have no such method, and are gone already.
        if hasattr(thread, 'is_alive') and not thread.is_alive():
            group.thread_done(thread)
