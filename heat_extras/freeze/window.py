# SPDX-License-Identifier: Apache-2.0

"""Freeze windows, and the times at which they are active.

All times are UTC without a zone, except local times. A window includes the
second of its begin, but not the second of its end.

Pure: does not import Heat.
"""

from collections import abc
import dataclasses
import datetime
import zoneinfo

from dateutil import rrule

from heat_extras.freeze import recurrence
from heat_extras import guard
from heat_extras import rpc_request

#: The operations that a window rejects by default.
CHANGES = (
    rpc_request.CREATE, rpc_request.UPDATE,
    rpc_request.DELETE, rpc_request.ABANDON,
    rpc_request.SUSPEND, rpc_request.RESUME,
    rpc_request.CHECK, rpc_request.SNAPSHOT,
    rpc_request.SNAPSHOT_DELETE, rpc_request.RESTORE,
    rpc_request.MARK_UNHEALTHY, rpc_request.MIGRATE)

#: Signals are ignored, and only if a window names them.
ALL = (*CHANGES, rpc_request.SIGNAL)


@dataclasses.dataclass(frozen=True)
class Span:
    """A period in which a window is always active, or never."""

    since: datetime.datetime
    until: datetime.datetime
    is_frozen: bool

    def includes(self, time: datetime.datetime) -> bool:
        return self.since <= time < self.until


# Times outside this range are not calculated, because each day is counted.
_FIRST, _LAST = datetime.datetime(1800, 1, 1), datetime.datetime(2200, 1, 1)
# The maximum change of clocks in a time zone.
_CLOCK_CHANGE = datetime.timedelta(days=2)
_YEAR = datetime.timedelta(days=366)

#: An empty period.
_NEVER = Span(datetime.datetime.min, datetime.datetime.min, False)


@dataclasses.dataclass(eq=False)
class Window:
    """One entry of the file.

    :param begin: the local time of its first begin, in ``zone``.
    :param duration: the time from begin to end, by the clocks in ``zone``.
    :param recurrence: all local times of its begin, or None for one time.
    :param projects: the IDs of projects, or None for all projects.
    :param exempt: a rule of oslo.policy, or None if no caller is exempt.
    """

    name: str
    zone: zoneinfo.ZoneInfo
    begin: datetime.datetime
    duration: datetime.timedelta
    recurrence: rrule.rrule | None = None
    reason: str | None = None
    projects: frozenset[str] | None = None
    operations: frozenset[str] = frozenset(CHANGES)
    exempt: str | None = None
    _last: Span = dataclasses.field(default=_NEVER, init=False, repr=False)

    def concerns(self, operation: str, project: str | None) -> bool:
        """Return whether the window rejects an operation in a project."""
        return operation in self.operations and self.is_of(project)

    def is_of(self, project: str | None) -> bool:
        """Return whether the window applies to a project."""
        return self.projects is None or project in self.projects

    def stops(self) -> tuple[str, ...]:
        """Return the actions of guards that the window stops."""
        # An update can replace resources.
        return tuple(
            action for action in guard.ACTIONS
            if (rpc_request.UPDATE if action == 'replace'
                else action.replace('_', ' ')) in self.operations)

    def span(self, time: datetime.datetime) -> Span:
        """Return the period around a time in which the window is unchanged.

        Cache the last result, so that dateutil is called only once for each
        begin and end of the window, for any number of operations.
        """
        last = self._last
        if not last.includes(time):
            last = self._last = self._find_span(time)
        return last

    def current_or_next(self, time: datetime.datetime) -> Span | None:
        """Return the period of the freeze at a time, or the next period.

        Return None if the window will not be active again.
        """
        span = self.span(time)
        if span.is_frozen:
            return span
        following = (None if span.until == datetime.datetime.max
                     else self._find_span(span.until))
        return following if following and following.is_frozen else None

    def _find_span(self, time: datetime.datetime) -> Span:
        since = time
        begins = self._begins_around(time)
        for begin in begins:
            start = recurrence.to_utc(begin, self.zone)
            if time < start:
                return Span(since, start, False)
            end = self.end_of(begin)
            if time < end:
                return Span(start, self._last_end(begins, end), True)
            since = end
        return Span(since, datetime.datetime.max, False)

    def _last_end(self, begins: abc.Iterator[datetime.datetime],
                  end: datetime.datetime) -> datetime.datetime:
        """Return the end of the last occurrence without a gap before it.

        A freeze that does not end within a year is only calculated so far.
        """
        far = end + _YEAR
        for begin in begins:
            if recurrence.to_utc(begin, self.zone) > end or end > far:
                break
            end = max(end, self.end_of(begin))
        return end

    def _begins_around(self, time: datetime.datetime
                       ) -> abc.Iterator[datetime.datetime]:
        if self.recurrence is None:
            return iter((self.begin,))
        return self.recurrence.xafter(
            recurrence.to_local(time, self.zone) - self.duration
            - _CLOCK_CHANGE, inc=True)

    def end_of(self, begin: datetime.datetime) -> datetime.datetime:
        """Return the end for the local time of a begin."""
        return recurrence.to_utc(begin + self.duration, self.zone)


def active_windows(windows: abc.Iterable[Window], time: datetime.datetime
                   ) -> list[Window]:
    """Return the windows that are active at a time, the latest end first."""
    time = clamp(time)
    spans = [(each.span(time), each) for each in windows]
    return [each for span, each in sorted(
        (pair for pair in spans if pair[0].is_frozen),
        key=lambda pair: pair[0].until, reverse=True)]


def clamp(time: datetime.datetime) -> datetime.datetime:
    """Return the time, or the nearest time that can be calculated."""
    return min(max(time, _FIRST), _LAST)
