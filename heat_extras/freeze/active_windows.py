# SPDX-License-Identifier: Apache-2.0

"""Which windows are active at a time, and when the last of them ends.

Pure: nothing of Heat is imported.
"""

from collections import abc
import datetime
import functools

from heat_extras.freeze import window as windows

# The times that can be asked about: each day until then is counted.
_FIRST, _LAST = datetime.datetime(1800, 1, 1), datetime.datetime(2200, 1, 1)
# A window that ends when another one begins, or the same one anew: so many in
# a row have no end that it helps anybody to know.
_MOST = 100

Windows = abc.Sequence[windows.Window]


def active(found: Windows, moment: datetime.datetime) -> list[windows.Window]:
    """Return those active at a time, the one that ends last first."""
    moment = clamp(moment)
    spans = [(each.span(moment), each) for each in found]
    return [each for span, each in sorted(
        (pair for pair in spans if pair[0].is_frozen),
        key=lambda pair: pair[0].until, reverse=True)]


def end_of_freeze(found: Windows, moment: datetime.datetime
                  ) -> datetime.datetime | None:
    """Return from when on none of some windows is active.

    :returns: None where one follows the other for very long.
    """
    moment = clamp(moment)
    now = active(found, moment)
    return (_end_after(tuple(found), now[0].span(moment).until) if now
            else moment)


# The same for all who are refused until then: a hundred steps of each window
# are not taken for each of them.
@functools.lru_cache(maxsize=16)
def _end_after(found: tuple[windows.Window, ...], until: datetime.datetime
               ) -> datetime.datetime | None:
    for _ in range(_MOST):
        now = active(found, until)
        if not now:
            return until
        until = now[0].span(until).until
    return None


def clamp(moment: datetime.datetime) -> datetime.datetime:
    """Return the time, or the nearest that can be asked about."""
    return min(max(moment, _FIRST), _LAST)
