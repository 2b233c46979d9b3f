# SPDX-License-Identifier: Apache-2.0

"""What a guard is, and which actions it stops: pure data."""

import dataclasses
import datetime

from heat_extras import timestamps

ACTIONS = ('update', 'replace', 'delete', 'abandon', 'suspend', 'resume',
           'check', 'snapshot', 'restore', 'cancel', 'mark_unhealthy',
           'signal', 'lock', 'unlock', 'protect', 'unprotect')


@dataclasses.dataclass(frozen=True)
class Guard:
    """Something that stops actions on a stack or on a part of it.

    :param kind: ``lock``, ``protection``, ``unhealthy``, ``restriction``...
    :param stack_id: the stack that has it.
    :param stops: those of :data:`ACTIONS` that it stops. ``update`` is among
        them where some updates are stopped.
    :param name: of the resource, parameter or plugin; None: the stack.
    :param set_by: who set it, where known and of the reader's project.
    :param set_at: when, where known.
    :param expires_at: when it ends by itself; None: it does not.
    :param may_stop: those that it is asked about at the time, and may stop.
    :param reason: why.
    :param lifted_by: the policy rule that it takes to lift it, or who may.
    :param how_to_lift: what to do to lift it.
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
        """Return whether it stops an action, or may."""
        return action in self.stops or action in self.may_stop

    def body(self, stack_name: str) -> dict:
        """Make what the API answers."""
        return {**dataclasses.asdict(self), 'stack_name': stack_name,
                'stops': list(self.stops), 'may_stop': list(self.may_stop),
                'set_at': timestamps.to_iso(self.set_at),
                'expires_at': timestamps.to_iso(self.expires_at)}
