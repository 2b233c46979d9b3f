# SPDX-License-Identifier: Apache-2.0

"""Wait for the end of a lock or unlock and show its events meanwhile."""

import contextlib
import time

from heatclient.common import event_utils
from heatclient.common import utils
from heatclient import exc

from heat_extras.cli import progress_line
from heat_extras.client import managers
from heat_extras import sanitize

# Polls without an event until the stack itself is asked.
QUIET_POLLS = 2
# Without an event. An engine that dies is reported by another one long before.
IDLE_SECONDS = 3600
# Seconds until a terminal shows that the command waits.
DELAY = 2


def last_event(heat_client, identity):
    """Remember where the events of a stack end now.

    :returns: the id of its last event, None without any
    """
    events = event_utils.get_events(
        heat_client, stack_id=identity, event_args={'sort_dir': 'desc'},
        limit=1)
    return events[0].id if events else None


class Wait:
    """Follow one action on one stack until it is complete or failed.

    Not heatclient.common.event_utils.poll_for_events: its way out, when the
    end's event was missed, is a stack_status of <ACTION>_COMPLETE, which a
    server does not show where ``status_overlay`` is ``off``. It would wait for
    ever.
    """

    #: Seconds between two polls.
    pause = 1.0

    def __init__(self, heat_client, identity, action, marker, out):
        """Prepare to wait.

        :param identity: name and ID of the stack with a slash between
        :param action: 'LOCK' or 'UNLOCK'
        :param marker: what last_event said before the action
        :param out: file for the log of events
        """
        self.heat_client = heat_client
        self.identity = identity
        self.action = action
        self.marker = marker
        self.out = out
        self.context = utils.EventLogContext()
        self.line = progress_line.ProgressLine(
            f'Waiting for {action}_COMPLETE of stack '
            f'{sanitize.printable(identity.partition("/")[0])}',
            DELAY, out)

    def run(self):
        """Wait.

        :returns: '<ACTION>_COMPLETE' or '<ACTION>_FAILED', and the reason
        :raises heatclient.exc.CommandError: if there is no event for an hour
        """
        # Logs have the events, a person sees that the command is active.
        shown = self.line if self.out.isatty() else contextlib.nullcontext()
        with shown:
            return self._follow()

    def _follow(self):
        quiet, heard = 0, time.monotonic()
        while True:
            events = self._new_events()
            if events:
                heard = time.monotonic()
            elif time.monotonic() - heard > IDLE_SECONDS:
                raise exc.CommandError(
                    f'there was no event for {IDLE_SECONDS} seconds')
            end = self._end_in(events)
            quiet = 0 if events else quiet + 1
            if end is None and quiet >= QUIET_POLLS:
                quiet, end = 0, self._end_on_stack()
            if end is not None:
                return end
            time.sleep(self.pause)

    def _new_events(self):
        events = event_utils.get_events(
            self.heat_client, stack_id=self.identity,
            event_args={'sort_dir': 'asc', 'marker': self.marker})
        if events:
            self.marker = events[-1].id
        for event in events:
            # One by one, for a line break in it looks like another event.
            line = utils.event_log_formatter([event], self.context)
            with self.line.hidden():
                print(sanitize.printable(line, sanitize.encoding(self.out)),
                      file=self.out, flush=True)
        return events

    def _is_end(self, status):
        return status in (f'{self.action}_COMPLETE',
                          f'{self.action}_FAILED')

    def _end_in(self, events):
        for event in events:
            if event.physical_resource_id != self.identity.split('/')[-1]:
                continue
            if self._is_end(event.resource_status):
                return event.resource_status, event.resource_status_reason
        return None

    def _end_on_stack(self):
        stack = self.heat_client.stacks.get(
            self.identity, resolve_outputs=False)
        told = stack.to_dict()
        status = told.get(managers.STATUS)
        if self._is_end(status):
            return status, told.get(managers.REASON)
        if status == f'{self.action}_IN_PROGRESS':
            return None
        # Another action came after, or the stack is unlocked.
        is_locked = told.get(managers.WITNESS) is not None
        if is_locked == (self.action == 'LOCK'):
            return f'{self.action}_COMPLETE', None
        return None
