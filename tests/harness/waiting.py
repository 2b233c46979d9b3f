# SPDX-License-Identifier: Apache-2.0

"""Wait in a test: never for ever, and never in vain without a word.

The seconds of a wait are those of its pauses. A look counts as a pause at
most, so that a wait for a slow machine lasts longer.
"""

import time

SECONDS = 60
# Most of what tests wait for is there within a second, and each look takes
# what is looked at some of the processor: in 37 waits of 40 s in all, pauses
# that grow by a quarter from 20 ms save half a second more for 150 more looks.
SHORTEST, LONGEST = 0.05, 0.2
_GROWTH = 1.5
_MOST_TOLD = 2000
# So many times the seconds of a wait pass at most.
_MOST = 10


class TooLate(AssertionError):
    """What was waited for did not come; the message has what was there."""


def until(description, find, is_right=bool, seconds=SECONDS, tell=repr,
          longest=LONGEST):
    """Look until what is found is right, and return that.

    :param description: is waited for, in words.
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
    """Look until what is found is right, or time is over.

    :returns: what was found last, for who judges it
    """
    return _look(find, is_right, seconds, LONGEST)[0]


def until_equal(description, wanted, find, seconds=SECONDS):
    """Look until what is found equals what is wanted."""
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
