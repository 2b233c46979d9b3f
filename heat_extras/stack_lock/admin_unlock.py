# SPDX-License-Identifier: Apache-2.0

"""Unlock a stack as an operator of the cloud, without its users.

An operator who can read the configuration of an engine can also write to its
database, so no token, policy or plugin is checked. The project and the user of
the stack might no longer exist.
"""

import contextlib
import dataclasses

from heat.common import context as heat_context
from heat.common import exception

from heat_extras.heat_internals import rpc_errors
from heat_extras import operator_errors
from heat_extras.stack_lock import guard_row
from heat_extras.stack_lock import lock_transaction
from heat_extras.stack_lock import messages
from heat_extras.stack_lock.resource_locks import lock_resources
from heat_extras.stack_lock.resource_locks import resource_states
from heat_extras.stack_lock.resource_locks import resource_table
from heat_extras.stack_lock import states

_BY_OPERATOR = 'Unlocked by a cloud operator with heat-extras-manage'

# A context that can read every stack, and has no credentials.
_admin = heat_context.get_admin_context


class NotUnlocked(operator_errors.HeatExtrasError):
    """The stack cannot be unlocked."""


@dataclasses.dataclass(frozen=True)
class NotReleased:
    """The resources that could not be released.

    :param failure: the reason, for a message.
    :param rows: the rows of the resources in ``heat_extras_protection``.
    """

    failure: str
    rows: list


def list_protected(root_id):
    """List the resources that the lock of a tree protects.

    :returns: rows of ``heat_extras_protection``, by stack and resource.
    """
    return sorted(
        (row for row in resource_table.read_tree(_admin(), root_id).values()
         if row.state in resource_states.OWN),
        key=lambda row: (row.stack_id, row.resource_name, row.resource_id))


def check_unlockable(root):
    """Check that the stack has a lock that can be removed.

    :raises NotUnlocked: if there is no lock, or an operation is in progress.
    """
    _check_lock(root, guard_row.read_lock(_admin(), root.id)[1])


def _check_lock(root, lock):
    if not lock.is_locked:
        raise NotUnlocked(messages.not_locked(messages.name_and_id(root)))
    if lock.status == states.IN_PROGRESS:
        raise NotUnlocked(
            f'Stack {messages.name_and_id(root)} was not changed, because its '
            f'lock is {"_".join(lock.state)}. Wait until this operation ends. '
            'If the engine of the operation is down, first run '
            f'heat-extras-manage reset-lock {root.id}, and then unlock the '
            'stack again.')


def unlock(root, credentials=None, ignore_failures=False):
    """Unlock a tree, and release the resources that its lock protects.

    :param credentials: a heat.common.context.RequestContext to call the
        services. By default, the credentials that Heat stores for each stack
        are used.
    :param ignore_failures: whether to unlock the tree even if resources
        cannot be released.
    :returns: a :class:`NotReleased`, or None if all resources are released.
    :raises NotUnlocked: if there is no lock that can be removed.
    """
    result = _start_unlock(root)
    if not result.is_pending:
        return None
    own = resource_table.Token(credentials or _admin(), root.id,
                               result.operation_id, credentials is not None)
    with _fail_on_exception(own):
        left, note = _release_resources(own, root)
    if _finish_unlock(own, left, note, ignore_failures) is None:
        raise _superseded_error(root)
    return left


def _start_unlock(root):
    try:
        return lock_transaction.unlock_tree(
            _admin(), root.id, lambda lock: _check_lock(root, lock),
            note=_BY_OPERATOR)
    except exception.EntityNotFound as error:
        raise NotUnlocked(
            f'Stack {messages.name_and_id(root)} was deleted in the meantime, '
            'together with its lock.') from error


def _superseded_error(root):
    return NotUnlocked(
        f'The unlock of stack {messages.name_and_id(root)} was ended by '
        'another request, which has reset the lock or deleted the stack. To '
        'show the state of the lock, run heat-extras-manage list-locks. If '
        f'the stack is still locked, run heat-extras-manage unlock {root.id}.')


def _finish_unlock(own, left, note, ignore_failures):
    failure = None if left is None or ignore_failures else left.failure
    note = '. '.join(filter(None, (_BY_OPERATOR, note,
                                   left and left.failure)))
    return lock_transaction.finish_tree(_admin(), own.root_id, states.UNLOCK,
                                        own.operation_id, failure, note)


@contextlib.contextmanager
def _fail_on_exception(own):
    # If this process stops, no engine notices it. So end the operation here.
    try:
        yield
    except BaseException:
        lock_transaction.finish_tree(_admin(), own.root_id, states.UNLOCK,
                                     own.operation_id, messages.stopped(
                                         states.UNLOCK, own.root_id))
        raise


def _release_resources(own, root):
    """Return a :class:`NotReleased` or None, and a note for the event."""
    try:
        report = lock_resources.release(own)
    except resource_table.Superseded as error:
        raise _superseded_error(root) from error
    except Exception as error:
        # If its project or user is deleted, Heat's credentials are invalid.
        cause = rpc_errors.message_of(
            error, messages.operation_name(states.UNLOCK, own.root_id))
        failure = f'the services could not be called: {cause}'
        return NotReleased(failure, list_protected(own.root_id)), None
    failure = report.failure('released')
    if failure is None:
        return None, report.note()
    return NotReleased(failure, list_protected(own.root_id)), report.note()
