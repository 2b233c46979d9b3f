# SPDX-License-Identifier: Apache-2.0

"""Freezes: when, for whom, of what; those active at a time, and their end.

All times are UTC without a zone, unless they are called local. A window
begins with its first second, and ends before the second that is its end.

Pure: nothing of Heat is imported.
"""

from collections import abc
import dataclasses
import datetime
import zoneinfo

from dateutil import rrule

from heat_extras.freeze import local_time
from heat_extras import guard
from heat_extras.heat_internals import operation_names

#: What a window stops that does not say what.
CHANGES = (
    operation_names.CREATE, operation_names.UPDATE,
    operation_names.DELETE, operation_names.ABANDON,
    operation_names.SUSPEND, operation_names.RESUME,
    operation_names.CHECK, operation_names.SNAPSHOT,
    operation_names.SNAPSHOT_DELETE, operation_names.RESTORE,
    operation_names.MARK_UNHEALTHY, operation_names.MIGRATE)

#: A signal is ignored, and only where a window names it.
ALL = (*CHANGES, operation_names.SIGNAL)


@dataclasses.dataclass(frozen=True)
class Span:
    """A time in which a window is in force all along, or not at all."""

    since: datetime.datetime
    until: datetime.datetime
    is_frozen: bool

    def has(self, moment: datetime.datetime) -> bool:
        return self.since <= moment < self.until


# The times that can be asked about: each day until then is counted.
_FIRST, _LAST = datetime.datetime(1800, 1, 1), datetime.datetime(2200, 1, 1)
# No change of the clocks is larger.
_CLOCK_CHANGE = datetime.timedelta(days=2)

#: Of nothing.
_NEVER = Span(datetime.datetime.min, datetime.datetime.min, False)


@dataclasses.dataclass(eq=False)
class Window:
    """One entry of the file.

    :param begin: the first time, local in ``zone``.
    :param duration: from there to the end, by the clocks in ``zone``.
    :param recurrence: all local times at which it begins; None for once.
    :param projects: ids; None for all.
    :param exempt: a rule of oslo.policy; None: no caller is exempt.
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
        """Return whether it stops an operation in a project."""
        return operation in self.operations and (
            self.projects is None or project in self.projects)

    def stops(self) -> tuple[str, ...]:
        """Return the actions of guards that it stops."""
        # An update may replace.
        return tuple(
            action for action in guard.ACTIONS
            if (operation_names.UPDATE if action == 'replace'
                else action.replace('_', ' ')) in self.operations)

    def span(self, moment: datetime.datetime) -> Span:
        """Return the time around a moment in which nothing changes.

        The last answer is kept, so that dateutil is asked once for each time
        that the window begins or ends, however many operations there are.
        """
        last = self._last
        if not last.has(moment):
            last = self._last = self._find(moment)
        return last

    def _find(self, moment: datetime.datetime) -> Span:
        since = moment
        for begin in self._begins(moment):
            start = local_time.to_utc(begin, self.zone)
            if moment < start:
                return Span(since, start, False)
            end = self.end_of(begin)
            if moment < end:
                return Span(start, end, True)
            since = end
        return Span(since, datetime.datetime.max, False)

    def _begins(self, moment: datetime.datetime
                ) -> abc.Iterator[datetime.datetime]:
        if self.recurrence is None:
            return iter((self.begin,))
        return self.recurrence.xafter(
            local_time.to_local(moment, self.zone) - self.duration
            - _CLOCK_CHANGE, inc=True)

    def end_of(self, begin: datetime.datetime) -> datetime.datetime:
        """Return the end of the occurrence that begins at a local time."""
        return local_time.to_utc(begin + self.duration, self.zone)


def active(found: abc.Iterable[Window], moment: datetime.datetime
           ) -> list[Window]:
    """Return those active at a time, the one that ends last first."""
    moment = clamp(moment)
    spans = [(each.span(moment), each) for each in found]
    return [each for span, each in sorted(
        (pair for pair in spans if pair[0].is_frozen),
        key=lambda pair: pair[0].until, reverse=True)]


def clamp(moment: datetime.datetime) -> datetime.datetime:
    """Return the time, or the nearest that can be asked about."""
    return min(max(moment, _FIRST), _LAST)
