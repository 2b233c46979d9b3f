# SPDX-License-Identifier: Apache-2.0

"""Which windows are in force at a moment, and when that is over.

Pure: nothing of Heat is imported.
"""

from collections import abc
import datetime
import functools

from heat_extras.freeze import window as windows

# Beyond them Python has no times, and a window of a year may still begin.
_FIRST, _LAST = datetime.datetime(1800, 1, 1), datetime.datetime(9500, 1, 1)
# A window that ends when another one begins, or the same one anew: so many in
# a row have no end that it helps anybody to know.
_MOST = 100

Windows = abc.Sequence[windows.Window]


def frozen(found: Windows, moment: datetime.datetime) -> list[windows.Window]:
    """Return those in force at a moment, the one that ends last first."""
    moment = within(moment)
    spans = [(each.span(moment), each) for each in found]
    return [each for span, each in sorted(
        (pair for pair in spans if pair[0].is_frozen),
        key=lambda pair: pair[0].until, reverse=True)]


def over(found: Windows, moment: datetime.datetime
         ) -> datetime.datetime | None:
    """Return from when on none of some windows is in force.

    :returns: None where one follows the other for very long.
    """
    moment = within(moment)
    now = frozen(found, moment)
    return (_over(tuple(found), now[0].span(moment).until) if now
            else moment)


# The same for all who are refused until then: a hundred steps of each window
# are not taken for each of them.
@functools.lru_cache(maxsize=16)
def _over(found: tuple[windows.Window, ...], until: datetime.datetime
          ) -> datetime.datetime | None:
    for _ in range(_MOST):
        now = frozen(found, until)
        if not now:
            return until
        until = now[0].span(until).until
    return None


def within(moment: datetime.datetime) -> datetime.datetime:
    """Return the moment, or the nearest that can be asked about."""
    return min(max(moment, _FIRST), _LAST)
