# SPDX-License-Identifier: Apache-2.0

"""A guard: one class that rejects requests, and is listed.

:mod:`heat_extras.gate` asks the guards. A guard overrides the methods for the
steps at which it can decide. The class of its error determines the status of
the response. The records of this module are what guards list.

Pure: does not import Heat.
"""

import collections.abc
import dataclasses
import datetime
import typing

from heat_extras import rpc_request
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


@dataclasses.dataclass(frozen=True)
class ResourceProtection:
    """The protection of all resources of a tree from loss by an update.

    :param name: as in "the protection of stack S".
    :param how_to_lift: an instruction how to remove it.
    """

    name: str
    how_to_lift: str


@dataclasses.dataclass(frozen=True)
class Update:
    """An update or a preview, of which Heat has parsed the environment.

    :param stack: the current heat.engine.stack.Stack.
    :param environment: of the request, as Heat has parsed it.
    :param arguments: of the request, for example ``converge``.
    :param is_from_parent: whether a parent resource has stored the template.
    """

    stack: typing.Any
    environment: dict
    arguments: dict
    is_from_parent: bool


@dataclasses.dataclass
class Start:
    """An operation that Heat starts, with the template that it will store.

    :param original: Heat's bound method.
    :param new_stack: the updated heat.engine.stack.Stack. Some operations
        have none.
    :param options: the other arguments, by name.
    """

    original: collections.abc.Callable
    template: typing.Any
    action: str
    new_stack: typing.Any
    options: dict

    def converge(self) -> typing.Any:
        """Call Stack.converge_stack."""
        return self.original(self.template, action=self.action,
                             new_stack=self.new_stack, **self.options)

    def update(self) -> typing.Any:
        """Call Stack.update_task."""
        return self.original(self.new_stack, action=self.action,
                             **self.options)


@dataclasses.dataclass(frozen=True)
class PlannedUpdate:
    """An update or a creation that is planned.

    :param stack: the current heat.engine.stack.Stack, or the new stack, which
        has no ID.
    :param updated: the stack with its new template, or None for a creation.
    :param plan: the :class:`heat_extras.plan.stack_plan.StackPlan`.
    :param entries: each :class:`heat_extras.plan.tree_plan.Entry`.
    """

    stack: typing.Any
    updated: typing.Any
    plan: typing.Any
    entries: list

    @property
    def is_creation(self) -> bool:
        """Whether the stack does not exist yet."""
        return self.updated is None


@dataclasses.dataclass(frozen=True)
class Stop:
    """Something that stops, or may stop, a planned update.

    :param type: of the error, as in an error response.
    :param path: of the resource. None if the whole update is stopped.
    :param is_certain: False if the update may or may not be stopped.
    :param is_before_start: whether the update is rejected without any change.
        Otherwise it fails at the resource.
    """

    type: str
    message: str
    path: str | None = None
    is_certain: bool = True
    is_before_start: bool = True

    def body(self) -> dict[str, typing.Any]:
        """Return the stop as the API returns it."""
        return {'type': self.type, 'message': self.message,
                'certainty': 'will' if self.is_certain else 'may',
                'when': 'before_start' if self.is_before_start else 'during'}


class Guard:
    """The steps at which a guard is asked, without a decision at any step.

    :cvar methods: the RPC methods that the guard adds to the engine:
        functions of the EngineService, the context of the caller, and the
        arguments.
    :cvar answers: functions that complete the answer of an RPC method of
        Heat: their arguments are the context of the caller, and the answer.
    """

    methods: dict[str, collections.abc.Callable] = {}
    answers: dict[str, collections.abc.Callable] = {}

    def process(self, request: rpc_request.Request,
                proceed: collections.abc.Callable) -> typing.Any:
        """Process a request before Heat has read anything.

        :param proceed: asks the next guards, and then calls Heat's method.
        :returns: the result of *proceed*, or another answer.
        """
        return proceed()

    def check_row(self, request: rpc_request.Request, row: typing.Any) -> None:
        """Check the row of the stack, before Heat loads the stack.

        :param row: the heat.objects.stack.Stack.
        """

    def accept_row(self, request: rpc_request.Request,
                   row: typing.Any) -> None:
        """Record that all guards have accepted the row of the stack."""

    def prepare_update(self, update: Update,
                       proceed: collections.abc.Callable) -> tuple:
        """Check an update or a preview, before anything is stored.

        :param proceed: asks the next guards, and then calls Heat's method.
        :returns: the template, the current stack, and the updated stack.
        """
        return proceed()

    def start_convergence(self, stack: typing.Any, start: Start,
                          proceed: collections.abc.Callable) -> typing.Any:
        """Start an operation of the convergence engine.

        :param proceed: asks the next guards, and then calls Heat's method. The
            same in the following methods.
        """
        return proceed()

    def begin_traversal(self, stack: typing.Any) -> None:
        """Do what is needed before the first resource is triggered."""

    def run_legacy_update(self, stack: typing.Any, start: Start,
                          proceed: collections.abc.Callable
                          ) -> collections.abc.Iterator:
        """Run an update in the legacy engine, as a task."""
        yield from proceed()

    def restore(self, stack: typing.Any,
                proceed: collections.abc.Callable) -> tuple:
        """Check the restore of a snapshot.

        :returns: the restored stack, and its template.
        """
        return proceed()

    def roll_back(self, stack: typing.Any,
                  proceed: collections.abc.Callable) -> typing.Any:
        """Roll an update of the convergence engine back."""
        return proceed()

    def update_resource(self, resource: typing.Any, definition: typing.Any,
                        proceed: collections.abc.Callable
                        ) -> collections.abc.Iterator:
        """Check an update of a resource, as a task.

        :param definition: the new definition.
        """
        return proceed()

    def accept_signal(self, resource: typing.Any,
                      proceed: collections.abc.Callable) -> typing.Any:
        """Accept a signal while the caller waits. It can be ignored later."""
        return proceed()

    def signal(self, resource: typing.Any, details: typing.Any,
               proceed: collections.abc.Callable) -> typing.Any:
        """Deliver a signal to its resource, or ignore it."""
        return proceed()

    def load_stack(self, stack: typing.Any, row: typing.Any) -> None:
        """Keep what the row of a stack says with the loaded stack."""

    def stored_columns(self, stack: typing.Any) -> dict:
        """Return the values of columns to store with a stack."""
        return {}

    def store(self, stack: typing.Any,
              proceed: collections.abc.Callable) -> typing.Any:
        """Store a stack.

        :returns: the ID of the stack, or None if it was changed meanwhile.
        """
        return proceed()

    def release_stack_lock(self, stack: typing.Any, engine_id: str,
                           proceed: collections.abc.Callable) -> typing.Any:
        """Store the final state of a stack, and release its StackLock."""
        return proceed()

    def end_traversal(self, stack: typing.Any,
                      proceed: collections.abc.Callable) -> typing.Any:
        """End an operation of the convergence engine."""
        return proceed()

    def format_stack(self, info: dict, stack: typing.Any) -> None:
        """Add fields to the body of a loaded stack."""

    def format_preview(self, info: dict, stack: typing.Any) -> None:
        """Add fields to the body of a stack that would be created."""

    def format_row(self, info: dict, row: typing.Any) -> None:
        """Add fields to the body of a stack in a list."""

    def list_stops(self, context: typing.Any,
                   update: PlannedUpdate) -> collections.abc.Iterable[Stop]:
        """List each :class:`Stop` of an update.

        These are the checks of the update, without Heat.

        :param context: of the caller.
        :param update: the :class:`PlannedUpdate`.
        """
        return ()

    def list_guards(self, context: typing.Any,
                    tree: typing.Any) -> collections.abc.Iterable:
        """List each :class:`GuardInfo` of a stack.

        This should need only one query, regardless of the size of the tree.

        :param context: of the caller.
        :param tree: a :class:`heat_extras.heat_internals.guarded_stacks.Tree`.
        """
        return ()

    def find_deletion_stops(self, context: typing.Any,
                            tree: typing.Any) -> dict[int, Stop]:
        """Find what would stop the deletion of single resources.

        :param tree: a heat_extras.heat_internals.guarded_stacks.Tree.
        :returns: a dict with the IDs of the resources in Heat's database.
        """
        return {}

    def list_replace_blockers(self, resource: typing.Any, stack: typing.Any
                              ) -> collections.abc.Iterable[str]:
        """List the reasons why no update can replace a resource.

        :param stack: the loaded stack of the resource.
        """
        return ()

    def find_resource_protection(self, stack: typing.Any,
                                 updated: typing.Any
                                 ) -> ResourceProtection | None:
        """Find what forbids updates to replace or remove any resource.

        :param stack: a loaded stack of the tree.
        :param updated: the stack after the update that starts, or None.
        """
        return None

    def sweep_steps(self) -> dict[str, collections.abc.Callable]:
        """Return the periodic work of an engine, by what it checks for.

        :returns: functions of a :class:`heat_extras.left_operations.Sweep`.
        """
        return {}
