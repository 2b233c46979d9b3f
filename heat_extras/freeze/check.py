# SPDX-License-Identifier: Apache-2.0

"""Check whether a freeze window rejects an operation now."""

from oslo_log import log as logging
from oslo_utils import timeutils

from heat_extras.db import counters
from heat_extras.db import counting
from heat_extras.freeze import errors
from heat_extras.freeze import exempt
from heat_extras.freeze import file_watch
from heat_extras.freeze import window as windows
from heat_extras import guard
from heat_extras.heat_internals import heartbeat
from heat_extras.heat_internals import operation_names
from heat_extras import sanitize
from heat_extras import timestamps

LOG = logging.getLogger(__name__)


def find_windows(context, operation, project, now):
    """List the windows that reject an operation of a caller.

    :param now: the time in UTC.
    :returns: the windows, ordered by their end, the latest first.
    """
    concerning = [window for window in file_watch.current_windows()
                  if window.concerns(operation, project)]
    # Check this last, because it might read a policy file.
    return [window for window in windows.active_windows(concerning, now)
            if not exempt.is_exempt(context, window)]


def refuse_if_frozen(context, operation, project, name, stack_id=None,
                     is_nested=False):
    """Reject an operation during a freeze window.

    :param stack_id: None if the operation creates the stack.
    :raises StackFrozen: if a window rejects the operation.
    """
    now = timeutils.utcnow()
    frozen_by = find_windows(context, operation, project, now)
    # An engine without heat-extras does not mark its calls for a parent, and
    # its operation has to finish. This takes one query, and only if the
    # operation would be rejected.
    if not frozen_by or (is_nested and
                         heartbeat.has_engine_without_heat_extras(context)):
        return
    LOG.info('%(operation)s of stack %(name)s (%(id)s) refused: freeze '
             '"%(freeze)s" is in effect',
             {'operation': operation, 'name': name, 'id': stack_id,
              'freeze': frozen_by[0].name})
    counting.count_event(stack_id or counters.DELETED_STACKS, counters.FROZEN,
                         operation, context)
    raise errors.StackFrozen(message=_describe(operation, name, stack_id,
                                               frozen_by, now))


def list_stops(context, update):
    """List the freeze that stops an update of the caller now, if any."""
    now, stack = timeutils.utcnow(), update.stack
    frozen_by = find_windows(context, operation_names.UPDATE, stack.tenant_id,
                             now)
    return [guard.Stop(errors.StackFrozen.__name__, _describe(
        operation_names.UPDATE, stack.name, stack.id, frozen_by, now))
    ] if frozen_by else []


def _describe(operation, name, stack_id, frozen_by, now):
    return frozen_message(
        operation, f'{name} ({stack_id})' if stack_id else name, frozen_by[0],
        timestamps.to_iso(frozen_by[0].span(now).until))


def frozen_message(operation, stack, window, until):
    """Return the message for a rejected operation."""
    return (f'Stack {stack} is frozen until {until} (freeze '
            f'"{window.name}"{sanitize.after_colon(window.reason)}). The '
            f'operation "{operation}" is rejected. Try again at {until}.')
