# SPDX-License-Identifier: Apache-2.0

"""Wait in a test: never for ever, and never in vain without a word."""

import time

SECONDS = 60
_STEP_SECONDS = 0.1


def until(what, condition, seconds=SECONDS):
    """Wait until *condition* returns something true, and return that.

    :param what: is waited for, in words.
    :raises AssertionError: when it does not in time.
    """
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(
                f'waited {seconds} seconds for {what}, found {found!r}')
        time.sleep(_STEP_SECONDS)
    return found
