# SPDX-License-Identifier: Apache-2.0

"""Who does what on a tree while an update goes through its lock."""

from heat.db import api as db_api

from heat_extras.heat_internals import parent_call
from heat_extras.stack_lock.lock_pass import record
from heat_extras.stack_lock import operations
from heat_extras.stack_lock import override_policy
from heat_extras.stack_lock import request_context


def lets(context, lock, operation):
    """Return whether a caller is let do what the lock refuses to others.

    :param context: that of this thread's caller comes before it: Heat often
        goes on with one of the stack's owner.
    :param lock: the :class:`locks.Lock` of the stack.
    """
    if not lock.is_passing:
        return False
    verdict = lock.verdict(operation)
    caller = request_context.get_caller() or context
    if verdict in operations.FOR_SOME and parent_call.is_one(caller):
        return True
    return verdict == operations.BY_HOLDER and (
        override_policy.may_unlock(caller, lock) or _holds(caller, lock))


def _holds(caller, lock):
    with db_api.context_manager.reader.independent.using(caller) as session:
        found = record.of_lock(session, lock.id)
    return found is not None and record.holder_of(found).is_one(caller)
