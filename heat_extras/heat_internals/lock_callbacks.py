# SPDX-License-Identifier: Apache-2.0

"""Callbacks of other features before and after a lock or unlock."""

import contextlib

#: The actions for which callbacks are called. DELETE is the deletion of a
#: stack whose lock failed, which unlocks its tree. The callback then gets a
#: heat.engine.stack.Stack. EXPIRY is the UNLOCK of a lock that expires. No
#: callback can deny it.
LOCK, UNLOCK, DELETE, EXPIRY = 'LOCK', 'UNLOCK', 'DELETE', 'EXPIRY'

_callbacks: list = []


class Denied(Exception):
    """A callback rejects a request. The text is the reason."""


def register_callback(callback):
    """Register a callback to be called before every lock and unlock.

    :param callback: a function with the arguments context, row of the root
        stack and action. If it raises an exception, the request is rejected.
        It returns a function that is called once at the end, with whether
        the lock or unlock failed.
    """
    if callback not in _callbacks:
        _callbacks.append(callback)


def unregister_callback(callback):
    """Remove a registered callback."""
    if callback in _callbacks:
        _callbacks.remove(callback)


@contextlib.contextmanager
def run_callbacks(context, root, action):
    """Call the callbacks before a request, as a context manager.

    It yields a function with the argument ``is_failure``, which calls the
    functions that the callbacks returned. The caller calls it at the end of
    the request. If the request is rejected, it is called here.
    """
    end_functions: list = []

    def run_end_functions(is_failure):
        while end_functions:
            end_functions.pop(0)(is_failure)

    try:
        for callback in _callbacks:
            end_functions.append(callback(context, root, action))
        yield run_end_functions
    except BaseException:
        run_end_functions(True)
        raise
