# SPDX-License-Identifier: Apache-2.0

"""Who wants to know that an update or a rollback of a stack begins."""

import dataclasses

from oslo_log import log as logging

from heat_extras.pre_update_state import baseline
from heat_extras.pre_update_state import operation

LOG = logging.getLogger(__name__)

_listeners = []


@dataclasses.dataclass(frozen=True)
class Undone:
    """What a rollback takes back.

    :param update: its key, see :mod:`operation`.
    :param action: CREATE, ADOPT, UPDATE or RESTORE.
    """

    update: str
    action: str


def add(listener):
    """Ask *listener* of each stack that begins, before it is changed.

    The operation is in the database then, and no resource is worked on for
    it yet. Twice is the same as once.

    :param listener: has ``is_concerned(stack)``, which says of a rollback
        whether anybody may ask what it takes back, and
        ``remember(stack, undone)``, where *undone* is a :class:`Undone`, or
        None for an update.
    """
    if listener not in _listeners:
        _listeners.append(listener)


def remove(listener):
    """Do not ask *listener* any more."""
    if listener in _listeners:
        _listeners.remove(listener)


def begun(stack, undone=None):
    """Note what begins, and tell the listeners.

    Heat's own work goes on whatever happens here: of what is not known to
    have been before, a rollback is held to what holds for every update.

    :param undone: the :class:`Undone` of a rollback.
    """
    try:
        if undone is not None and any(listener.is_concerned(stack)
                                      for listener in _listeners):
            baseline.keep(stack.context, stack.id, baseline.ROLLED_BACK,
                          operation.key_of(stack), lambda: undone.update)
        for listener in _listeners:
            listener.remember(stack, undone)
    except Exception:
        LOG.exception('What stack %(name)s (%(id)s) is before its %(action)s '
                      'could not be kept',
                      {'name': stack.name, 'id': stack.id,
                       'action': stack.action})
