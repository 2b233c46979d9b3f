# SPDX-License-Identifier: Apache-2.0

"""A freeze: when, for whom, of what.

All moments are UTC without a zone. A window begins with its first second, and
ends before the one that is named as its end.

Pure: nothing of Heat is imported.
"""

from collections import abc
import dataclasses
import datetime

from heat_extras.freeze import local_time
from heat_extras.freeze import recurrence
from heat_extras import guard
from heat_extras.heat_internals import operation_names as names

#: What a window stops that does not say what.
CHANGES = (names.CREATE, names.UPDATE, names.DELETE, names.ABANDON,
           names.SUSPEND, names.RESUME, names.CHECK, names.SNAPSHOT,
           names.SNAPSHOT_DELETE, names.RESTORE, names.MARK_UNHEALTHY,
           names.MIGRATE)

#: A signal is ignored, and only where a window names it.
ALL = (*CHANGES, names.SIGNAL)


@dataclasses.dataclass(frozen=True)
class Span:
    """A time in which a window is in force all along, or not at all."""

    since: datetime.datetime
    until: datetime.datetime
    is_frozen: bool

    def has(self, moment: datetime.datetime) -> bool:
        return self.since <= moment < self.until


#: Of nothing.
_NEVER = Span(datetime.datetime.min, datetime.datetime.min, False)


@dataclasses.dataclass(eq=False)
class Window:
    """One entry of the file.

    :param begin: the first time, as clocks show it in ``zone``.
    :param length: how long it lasts; or its ``end``, as clocks show it.
    :param again: when else it begins.
    :param projects: ids; None for all.
    :param exempt: a rule of oslo.policy; None: nobody is.
    """

    name: str
    zone: local_time.Zone
    begin: datetime.datetime
    length: local_time.Length | None = None
    end: datetime.datetime | None = None
    again: recurrence.Recurrence | None = None
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
            if (names.UPDATE if action == 'replace'
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
            start = self.zone.to_utc(begin)
            if moment < start:
                return Span(since, start, False)
            end = self.ends(begin)
            if moment < end:
                return Span(start, end, True)
            since = end
        return Span(since, datetime.datetime.max, False)

    def _begins(self, moment: datetime.datetime
                ) -> abc.Iterator[datetime.datetime]:
        if self.again is None or self.length is None:
            return iter((self.begin,))
        return self.again.begins(
            self.zone.to_local(moment) - self.length.most)

    def ends(self, begin: datetime.datetime) -> datetime.datetime:
        """Return when the one ends that begins at a local time."""
        if self.length is not None:
            return self.length.after(begin, self.zone)
        return self.zone.to_utc(self.end or begin)
