# SPDX-License-Identifier: Apache-2.0

"""Wait in tests, with a time limit and an explanation after a timeout.

Only pauses count as seconds of a wait, and each query at most as one pause. So
waits last longer on a slow machine.
"""

import time

SECONDS = 60
# Most waits of tests end within a second, and each query costs processor time.
# In 37 waits of 40 s in total, pauses that start at 20 ms and grow by a
# quarter save another half second, for 150 more queries.
SHORTEST, LONGEST = 0.05, 0.2
_GROWTH = 1.5
_MOST_TOLD = 2000
# The limit of the actual duration, as a multiple of the seconds of a wait.
_MOST = 10


class TooLate(AssertionError):
    """A wait timed out; the message has the last value."""


def until(description, find, is_right=bool, seconds=SECONDS, tell=repr,
          longest=LONGEST):
    """Query until the value is right, and return the value.

    :param description: the description of the wait.
    :param find: called again and again; what it raises goes on, and ends
        the wait.
    :param is_right: judges what was found; something true, unless told.
    :param tell: turns what was found into words, for the message.
    :param longest: seconds between two looks, in the end.
    :raises TooLate: when it does not come in time.
    """
    value, is_set = _look(find, is_right, seconds, longest)
    if not is_set:
        raise TooLate(
            f'Waited {seconds} seconds for {description}, found last: '
            f'{_shortened(tell(value))}')
    return value


def last(find, is_right, seconds=SECONDS):
    """Query until the value is right, or until a timeout.

    :returns: the last value, which the caller checks
    """
    return _look(find, is_right, seconds, LONGEST)[0]


def until_equal(description, wanted, find, seconds=SECONDS):
    """Query until the value equals the expected value."""
    return until(f'{description} to be {wanted!r}', find,
                 lambda value: value == wanted, seconds)


def _look(find, is_right, seconds, longest):
    begin, spent = time.monotonic(), 0
    for pause in _pauses(longest):
        before = time.monotonic()
        value = find()
        if is_right(value):
            return value, True
        now = time.monotonic()
        spent += min(now - before, pause)
        if spent > seconds or now - begin > _MOST * seconds:
            return value, False
        time.sleep(pause)
        spent += pause


def _pauses(longest):
    pause = min(SHORTEST, longest)
    while True:
        yield pause
        pause = min(pause * _GROWTH, longest)


def _shortened(text):
    if len(text) <= _MOST_TOLD:
        return text
    return f'{text[:_MOST_TOLD]} ... ({len(text)} characters)'
