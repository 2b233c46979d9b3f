# SPDX-License-Identifier: Apache-2.0

"""What other features do before and after a lock or unlock."""

import contextlib

#: What a hook is asked about. DELETE is that of a tree whose lock failed, and
#: is lifted for that; the hook gets a heat.engine.stack.Stack then. EXPIRY is
#: an UNLOCK at the end of a lock, which no hook denies.
LOCK, UNLOCK, DELETE, EXPIRY = 'LOCK', 'UNLOCK', 'DELETE', 'EXPIRY'

_hooks: list = []


class Denied(Exception):
    """What a hook raises to refuse a request: the sentence that says why."""


def add(hook):
    """Call *hook* before every lock and unlock; twice is the same as once.

    :param hook: called with context, row of the root stack and action. What
        it raises refuses the request. It returns a function that is called
        with whether the lock or unlock failed, once, when it is over.
    """
    if hook not in _hooks:
        _hooks.append(hook)


def remove(hook):
    """Do not call *hook* any more."""
    if hook in _hooks:
        _hooks.remove(hook)


@contextlib.contextmanager
def asked(context, root, action):
    """Ask the hooks before a request is carried out.

    Gives a function like theirs; the caller calls it at the end, and this
    does when the request is refused.
    """
    ends: list = []

    def end(is_failure):
        while ends:
            ends.pop(0)(is_failure)

    try:
        for hook in _hooks:
            ends.append(hook(context, root, action))
        yield end
    except BaseException:
        end(True)
        raise
