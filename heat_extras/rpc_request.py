# SPDX-License-Identifier: Apache-2.0

"""The request that a thread of an engine processes, and its operation.

The engine's endpoint (:mod:`heat_extras.rpc_endpoint`) creates one object for
each RPC request that starts an operation. Guards keep here what they learn,
until they are asked again at a later step of the same request. Messages and
options have the names of the operations.

Pure: does not import Heat.
"""

import collections.abc
import contextlib
import contextvars
import dataclasses
import typing

from heat_extras.heat_internals import caller
from heat_extras import monkey_patch

CREATE, UPDATE, DELETE = 'create', 'update', 'delete'
SUSPEND, RESUME, CHECK = 'suspend', 'resume', 'check'
SNAPSHOT, SNAPSHOT_DELETE = 'snapshot', 'snapshot delete'
RESTORE, CANCEL, ABANDON = 'restore', 'cancel', 'abandon'
MARK_UNHEALTHY, CLEAR_HOOK = 'mark unhealthy', 'hook clearing'
MIGRATE, SIGNAL = 'migrate', 'signal'
PREVIEW, EXPORT = 'preview', 'export'
PREVIEW_CREATE = 'preview of a creation'


_ENGINE = 'heat.engine.service:EngineService'
_IDENTITY = '(self, cnxt, stack_identity)'
_SNAPSHOT = '(self, cnxt, stack_identity, snapshot_id)'
_UPDATE = ('(self, cnxt, stack_identity, template, params, files, args, '
           'environment_files=None, files_container=None')

# The operation that a method starts, and the signature.
_METHODS = {
    'abandon_stack': (ABANDON,
                      '(self, cnxt, stack_identity, abandon=True)'),
    'create_stack': (CREATE, (
        '(self, cnxt, stack_name, template, params, files, args, '
        'environment_files=None, files_container=None, owner_id=None, '
        'nested_depth=0, user_creds_id=None, stack_user_project_id=None, '
        'parent_resource_name=None, template_id=None)')),
    'delete_snapshot': (SNAPSHOT_DELETE, _SNAPSHOT),
    'delete_stack': (DELETE, _IDENTITY),
    'export_stack': (EXPORT, _IDENTITY),
    'migrate_convergence_1': (MIGRATE, '(self, ctxt, stack_id)'),
    'preview_stack': (PREVIEW_CREATE, (
        '(self, cnxt, stack_name, template, params, files, args, '
        'environment_files=None, files_container=None)')),
    'preview_update_stack': (PREVIEW, _UPDATE + ')'),
    'resource_mark_unhealthy': (MARK_UNHEALTHY, (
        '(self, cnxt, stack_identity, resource_name, mark_unhealthy, '
        'resource_status_reason=None)')),
    'resource_signal': (SIGNAL, (
        '(self, cnxt, stack_identity, resource_name, details, '
        'sync_call=False)')),
    'stack_cancel_update': (CANCEL, (
        '(self, cnxt, stack_identity, cancel_with_rollback=True)')),
    'stack_check': (CHECK, _IDENTITY),
    'stack_restore': (RESTORE, _SNAPSHOT),
    'stack_resume': (RESUME, _IDENTITY),
    'stack_snapshot': (SNAPSHOT, '(self, cnxt, stack_identity, name)'),
    'stack_suspend': (SUSPEND, _IDENTITY),
    'update_stack': (UPDATE, _UPDATE + ', template_id=None)'),
}

#: The operations, by the names of the methods.
OPERATIONS = {name: operation for name, (operation, _) in _METHODS.items()}


def find_problems() -> list[str]:
    """List the changes of the methods in Heat.

    :returns: a list of sentences.
    """
    return monkey_patch.problems([
        monkey_patch.Patch(f'{_ENGINE}.{name}', monkey_patch.WRAP, None,
                           (signature,))
        for name, (_, signature) in _METHODS.items()])


Value = typing.TypeVar('Value')


@contextlib.contextmanager
def override(variable: contextvars.ContextVar, new: Value
             ) -> collections.abc.Iterator[Value]:
    """Set a context variable, and restore its former value at the end."""
    token = variable.set(new)
    try:
        yield new
    finally:
        variable.reset(token)


@dataclasses.dataclass
class Request:
    """An operation that a user, or a parent resource, requests.

    :param operation: one of the operations above.
    :param context: the heat.common.context.RequestContext of the caller. Heat
        often continues with another context, of the stack's owner.
    :param engine: the heat.engine.service.EngineService.
    :param arguments: the arguments of the RPC method, by name.
    :ivar is_row_checked: whether the row of the stack has been checked. An
        operation that started before a freeze continues.
    :ivar ignored_by: the freeze windows because of which a signal is ignored.
    :ivar pass_use: the ``PassUse`` of an update with a lock pass.
    :ivar delete_intent: the ``DeleteIntent`` of a deletion.
    :ivar mark: the :class:`heat_extras.health.service.Mark` to set.
    :ivar validated_stack: the outermost stack of the validation in progress.
    :ivar parameter_checks: the arguments of Heat's checks of parameters while
        an update is prepared.
    :ivar stacks: the current and the updated stack, once Heat has both.
    :ivar received: the request of a preview, or of an update or a creation
        with a reviewed plan, before Heat changes it.
    :ivar reviewed_update: the ``ReviewedUpdate`` with a reviewed plan.
    :ivar reviewed_creation: the ``ReviewedCreation`` with a reviewed plan.
    :ivar abandon_ends: functions that end the calls of lifecycle plugins.
        Their argument is whether the request failed.
    """

    operation: str
    context: typing.Any
    engine: typing.Any = None
    arguments: dict = dataclasses.field(default_factory=dict)
    is_row_checked: bool = False
    ignored_by: tuple = ()
    pass_use: typing.Any = None
    delete_intent: typing.Any = None
    mark: typing.Any = None
    validated_stack: typing.Any = None
    parameter_checks: list | None = None
    stacks: tuple = ()
    received: dict | None = None
    reviewed_update: typing.Any = None
    reviewed_creation: typing.Any = None
    abandon_ends: list = dataclasses.field(default_factory=list)

    @property
    def is_of_parent(self) -> bool:
        """Whether Heat sent the request for a parent resource."""
        return caller.is_parent_call(self.context)

    @property
    def identity(self) -> dict:
        """The identifier of the stack in RPC messages, {} for a create."""
        return self.arguments.get('stack_identity', {})


_current: contextvars.ContextVar[Request | None] = contextvars.ContextVar(
    'heat_extras_request', default=None)


def processing(request: Request | None) -> typing.Any:
    """Set the request of this thread, as a context manager."""
    return override(_current, request)


def current() -> Request | None:
    """Return the request of this thread. Other work of Heat has none."""
    return _current.get()


def operation() -> str | None:
    """Return the operation that this thread starts, or None."""
    request = _current.get()
    return None if request is None else request.operation
