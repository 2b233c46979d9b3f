# SPDX-License-Identifier: Apache-2.0

"""What is frozen now, for a caller, and how that is told and counted."""

from oslo_log import log as logging
from oslo_utils import timeutils

from heat_extras import capabilities
from heat_extras.db import counters
from heat_extras.db import counting
from heat_extras.freeze import errors
from heat_extras.freeze import exemption
from heat_extras.freeze import outlook
from heat_extras.freeze import standing
from heat_extras.freeze import words
from heat_extras.host import engines
from heat_extras import timestamps

LOG = logging.getLogger(__name__)


def holding(context, operation, project):
    """List the windows that an operation of a caller meets now."""
    now = timeutils.utcnow()
    return outlook.frozen(_concerned(context, operation, project, now), now)


def _concerned(context, operation, project, now):
    # With those that are yet to come, if there is one now: they may follow.
    found = [each for each in standing.windows(context)
             if each.concerns(operation, project)]
    if not outlook.frozen(found, now):
        return []
    # Last, as it may read a file of policies.
    return [each for each in found
            if not exemption.is_exempt(context, each)]


def check(context, operation, project, name, stack_id=None,
          is_nested=False):
    """Refuse an operation that a window stops now.

    :param stack_id: None: the stack is to be created.
    :raises StackFrozen:
    """
    now = timeutils.utcnow()
    found = _concerned(context, operation, project, now)
    now_on = outlook.frozen(found, now)
    if not now_on or is_nested and _may_be_its_parents(context):
        return
    _refuse(context, operation, name, stack_id, now_on[0],
            timestamps.to_iso(outlook.over(found, now)))


def _refuse(context, operation, name, stack_id, window, until):
    LOG.info('%(operation)s of stack %(name)s (%(id)s) refused: frozen by '
             '%(freeze)s', {'operation': operation, 'name': name,
                            'id': stack_id, 'freeze': window.name})
    counting.count(stack_id or counters.GONE, counters.FROZEN, operation,
                   context)
    raise errors.StackFrozen(message=words.refused(
        operation, f'{name} ({stack_id})' if stack_id else name,
        window.name, window.reason, until))


def _may_be_its_parents(context):
    # An engine of an older release does not mark the calls of parents, and
    # what runs there has to finish. One query, on the way to a refusal.
    return bool(engines.lacking(context, capabilities.PARENT_CALL))
