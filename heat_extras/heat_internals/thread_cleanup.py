# SPDX-License-Identifier: Apache-2.0

"""Remove ended threads from the thread group of a stack.

Pure: does not import Heat.
"""

import typing

# Smaller groups are not cleaned. Most stacks never have more threads.
_FEW = 100


def forget_ended_threads(manager: typing.Any, stack_id: str) -> None:
    """Remove the ended threads of a stack from its thread group.

    Without eventlet, Heat keeps each thread that it started for a stack, also
    for events and signals (heat.engine.service, ThreadGroup.add_thread). From
    the thousandth thread on, each operation of this stack that needs a thread
    fails in this engine until the engine is restarted.

    :param manager: a heat.engine.service.ThreadGroupManager.
    """
    group = manager.groups.get(stack_id)
    if group is None or len(group.threads) < _FEW:
        return
    for thread in list(group.threads):
        # Threads of eventlet do not have this method. Heat removes them.
        if hasattr(thread, 'is_alive') and not thread.is_alive():
            group.thread_done(thread)
