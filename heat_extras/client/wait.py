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
    """Return the ID of the last event of a stack, or None."""
    events = event_utils.get_events(
        heat_client, stack_id=identity, event_args={'sort_dir': 'desc'},
        limit=1)
    return events[0].id if events else None


def wait_for_end(heat_client, identity, action, marker, out):
    """Print the events of a stack until an action is complete or failed.

    heatclient.common.event_utils.poll_for_events could wait forever: if it
    misses the last event, it waits for the stack_status <ACTION>_COMPLETE,
    which a server with ``status_overlay = off`` does not show.

    :param identity: name and ID of the stack with a slash between
    :param action: 'LOCK' or 'UNLOCK'
    :param marker: the :func:`last_event` before the action
    :param out: file for the events
    :returns: '<ACTION>_COMPLETE' or '<ACTION>_FAILED', and the reason
    """
    context = utils.EventLogContext()
    while True:
        # Read the status first, so that all events until the end are printed.
        result = _result(heat_client, identity, action)
        events = event_utils.get_events(
            heat_client, stack_id=identity,
            event_args={'sort_dir': 'asc', 'marker': marker})
        for event in events:
            marker = event.id
            # Format each event separately: a line break in its text would
            # look like another event.
            line = utils.event_log_formatter([event], context)
            print(sanitize.printable(line, sanitize.encoding_of(out)),
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
    # In case another request has changed the lock since, the status is of
    # another action.
    return f'{action}_COMPLETE', None
