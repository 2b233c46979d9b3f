# SPDX-License-Identifier: Apache-2.0

"""Wait for the end of a lock or unlock and show its events meanwhile."""

import contextlib
import time

from heatclient.common import event_utils
from heatclient.common import utils

from heat_extras.cli import progress_line
from heat_extras.client import managers
from heat_extras import sanitize

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
        """
        # Logs have the events, a person sees that the command is active.
        shown = self.line if self.out.isatty() else contextlib.nullcontext()
        with shown:
            return self._follow()

    def _follow(self):
        while True:
            # In this order, all events until the end are printed.
            end = self._end()
            self._print_new_events()
            if end is not None:
                return end
            time.sleep(self.pause)

    def _print_new_events(self):
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

    def _end(self):
        stack = self.heat_client.stacks.get(
            self.identity, resolve_outputs=False)
        body = stack.to_dict()
        status = body.get(managers.STATUS)
        if status == f'{self.action}_IN_PROGRESS':
            return None
        if status == f'{self.action}_FAILED':
            return status, body.get(managers.REASON)
        # Another request may have changed the lock since.
        return f'{self.action}_COMPLETE', None
