# SPDX-License-Identifier: Apache-2.0

"""Check whether a window stops an operation of a caller now."""

from oslo_log import log as logging
from oslo_utils import timeutils

from heat_extras.db import counters
from heat_extras.db import counting
from heat_extras.freeze import errors
from heat_extras.freeze import exempt
from heat_extras.freeze import file_watch
from heat_extras.freeze import window as windows
from heat_extras.heat_internals import heartbeat
from heat_extras import sanitize
from heat_extras import timestamps

LOG = logging.getLogger(__name__)


def windows_met(context, operation, project):
    """List the windows that an operation of a caller meets now."""
    now = timeutils.utcnow()
    return windows.active(
        _concerned(context, operation, project, now), now)


def _concerned(context, operation, project, now):
    # With those that are yet to come, if there is one now: they may follow.
    found = [each for each in file_watch.current_windows()
             if each.concerns(operation, project)]
    if not windows.active(found, now):
        return []
    # Last, as it may read a file of policies.
    return [each for each in found
            if not exempt.is_exempt(context, each)]


def refuse_if_frozen(context, operation, project, name, stack_id=None,
                     is_nested=False):
    """Refuse an operation that a window stops now.

    :param stack_id: None: the stack is to be created.
    :raises StackFrozen:
    """
    now = timeutils.utcnow()
    found = _concerned(context, operation, project, now)
    now_on = windows.active(found, now)
    if not now_on or is_nested and _may_be_its_parents(context):
        return
    _refuse(context, operation, name, stack_id, now_on[0],
            timestamps.to_iso(windows.end_of_freeze(found, now)))


def _refuse(context, operation, name, stack_id, window, until):
    LOG.info('%(operation)s of stack %(name)s (%(id)s) refused: frozen by '
             '%(freeze)s', {'operation': operation, 'name': name,
                            'id': stack_id, 'freeze': window.name})
    counting.count(stack_id or counters.GONE, counters.FROZEN, operation,
                   context)
    raise errors.StackFrozen(message=refusal(
        operation, f'{name} ({stack_id})' if stack_id else name, window,
        until))


def refusal(operation, stack, window, until):
    """Return the message of a refused operation."""
    return (f'Stack {stack} is frozen{f" until {until}" if until else ""} '
            f'({window.name}{sanitize.because(window.reason)}), {operation} '
            f'refused: {what_to_do(until)}.')


def what_to_do(until):
    """Return what a user who meets a freeze can do.

    :param until: the end of the freeze; None where it has no end soon.
    """
    return (f'try again at {until}' if until
            else 'ask the operator of this Heat when it ends')


def _may_be_its_parents(context):
    # An engine without heat-extras does not mark the calls of parents, and
    # what runs there has to finish. One query, on the way to a refusal.
    return heartbeat.is_bare_alive(context)
