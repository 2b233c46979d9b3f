# SPDX-License-Identifier: Apache-2.0

"""Callbacks of other features before and after a lock or unlock."""

import contextlib

#: Actions that a callback is asked about. DELETE is that of a tree whose lock
#: failed and which is unlocked for that; the callback gets a
#: heat.engine.stack.Stack then. EXPIRY is an UNLOCK of a lock that expires,
#: which no callback denies.
LOCK, UNLOCK, DELETE, EXPIRY = 'LOCK', 'UNLOCK', 'DELETE', 'EXPIRY'

_callbacks: list = []


class Denied(Exception):
    """A callback refuses a request; the text says why."""


def add(callback):
    """Call *callback* before every lock and unlock, once if added twice.

    :param callback: called with context, row of the root stack and action.
        An exception that it raises refuses the request. It returns a function
        that is called once, with whether the lock or unlock failed, at the
        end.
    """
    if callback not in _callbacks:
        _callbacks.append(callback)


def remove(callback):
    """Do not call *callback* any more."""
    if callback in _callbacks:
        _callbacks.remove(callback)


@contextlib.contextmanager
def asked(context, root, action):
    """Ask the callbacks before a request is carried out.

    Gives a function like theirs; the caller calls it at the end, and this
    does when the request is refused.
    """
    ends: list = []

    def end(is_failure):
        while ends:
            ends.pop(0)(is_failure)

    try:
        for callback in _callbacks:
            ends.append(callback(context, root, action))
        yield end
    except BaseException:
        end(True)
        raise
