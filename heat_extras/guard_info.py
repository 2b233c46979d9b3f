# SPDX-License-Identifier: Apache-2.0

"""What the list of guards says about one guard."""

import dataclasses
import datetime

from heat_extras import timestamps

ACTIONS = ('update', 'replace', 'delete', 'abandon', 'suspend', 'resume',
           'check', 'snapshot', 'restore', 'cancel', 'mark_unhealthy',
           'signal', 'lock', 'unlock', 'protect', 'unprotect')


@dataclasses.dataclass(frozen=True)
class GuardInfo:
    """A reason why actions on a stack, or on a part of it, are stopped.

    :param kind: ``lock``, ``protection``, ``unhealthy``, ``restriction``...
    :param stack_id: the ID of the guarded stack.
    :param stops: the :data:`ACTIONS` that it stops. ``update`` is in this list
        also if only some updates are stopped.
    :param name: the name of the guarded resource, parameter or plugin. None
        if the stack itself is guarded.
    :param set_by: the user who set it, if known and of the reader's project.
    :param set_at: the time when it was set, if known.
    :param expires_at: the time when it ends by itself, or None.
    :param may_stop: the actions that a check may stop when they are requested.
    :param reason: the reason that was given.
    :param lifted_by: the policy rule or the person required to remove it.
    :param how_to_lift: an instruction how to remove it.
    """

    kind: str
    stack_id: str
    stops: tuple
    name: str | None = None
    set_by: str | None = None
    set_at: datetime.datetime | None = None
    reason: str | None = None
    lifted_by: str | None = None
    how_to_lift: str | None = None
    expires_at: datetime.datetime | None = None
    may_stop: tuple = ()

    def blocks(self, action: str) -> bool:
        """Return whether the guard stops, or may stop, an action."""
        return action in self.stops or action in self.may_stop

    def to_body(self, stack_name: str) -> dict:
        """Return the guard as in the response of the API."""
        return {**dataclasses.asdict(self), 'stack_name': stack_name,
                'stops': list(self.stops), 'may_stop': list(self.may_stop),
                'set_at': timestamps.to_iso(self.set_at),
                'expires_at': timestamps.to_iso(self.expires_at)}
