# SPDX-License-Identifier: Apache-2.0

"""Wait for the end of a lock or unlock and print its events."""

import time

from heatclient.common import event_utils
from heatclient.common import utils

from heat_extras.client import managers
from heat_extras import sanitize

# Seconds between two polls.
PAUSE = 1.0


def last_event(heat_client, identity):
    """Return the ID of the last event of a stack, None without any."""
    events = event_utils.get_events(
        heat_client, stack_id=identity, event_args={'sort_dir': 'desc'},
        limit=1)
    return events[0].id if events else None


def until_ended(heat_client, identity, action, marker, out):
    """Print the events of a stack until an action is complete or failed.

    Not heatclient.common.event_utils.poll_for_events: its way out, when the
    end's event was missed, is a stack_status of <ACTION>_COMPLETE, which a
    server does not show where ``status_overlay`` is ``off``. It would wait for
    ever.

    :param identity: name and ID of the stack with a slash between
    :param action: 'LOCK' or 'UNLOCK'
    :param marker: the :func:`last_event` before the action
    :param out: file for the events
    :returns: '<ACTION>_COMPLETE' or '<ACTION>_FAILED', and the reason
    """
    context = utils.EventLogContext()
    while True:
        # In this order, all events until the end are printed.
        result = _result(heat_client, identity, action)
        events = event_utils.get_events(
            heat_client, stack_id=identity,
            event_args={'sort_dir': 'asc', 'marker': marker})
        for event in events:
            marker = event.id
            # One by one, for a line break in it looks like another event.
            line = utils.event_log_formatter([event], context)
            print(sanitize.printable(line, sanitize.encoding(out)),
                  file=out, flush=True)
        if result is not None:
            return result
        time.sleep(PAUSE)


def _result(heat_client, identity, action):
    body = heat_client.stacks.get(identity, resolve_outputs=False).to_dict()
    status = body.get(managers.STATUS)
    if status == f'{action}_IN_PROGRESS':
        return None
    if status == f'{action}_FAILED':
        return status, body.get(managers.REASON)
    # Another request may have changed the lock since.
    return f'{action}_COMPLETE', None
