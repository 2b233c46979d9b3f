# SPDX-License-Identifier: Apache-2.0

"""The rank of a lock, and the right to change or remove it."""

from heat.common import exception as heat_exception

from heat_extras.stack_lock import errors
from heat_extras.stack_lock import messages
from heat_extras.stack_lock import states


def rank_of(context, rule='unlock_override'):
    """Return the rank of a lock or protection that the caller sets.

    :param rule: the policy rule of administrators.
    """
    return states.ADMIN if _may_override(context, rule) else states.MEMBER


def check(context, stack, lock):
    """Check that the caller may change a lock of its rank.

    :raises StackLockForbidden: if the caller lacks the override rule.
    """
    if lock.is_locked and is_forbidden(context, lock):
        raise errors.StackLockForbidden(message=(
            f'Stack {messages.name_and_id(stack)} was locked by an '
            'administrator. Changing or removing this lock requires the '
            'policy rule "actions:unlock_override". Ask an administrator of '
            'this cloud.'))


def is_forbidden(context, lock, rule='unlock_override'):
    """Return whether the rank of a lock or protection is above the caller.

    :param rule: as for :func:`rank_of`.
    """
    return lock.rank == states.ADMIN and not _may_override(context, rule)


def may_unlock(context, lock):
    """Return whether a caller may remove a lock."""
    return _may_override(context, 'unlock_override'
                         if lock.rank == states.ADMIN else 'unlock')


def may_unprotect(context, protection):
    """Return whether a caller may remove a protection by a request."""
    return _may_override(context, 'unprotect_override'
                         if protection.rank == states.ADMIN else 'unprotect')


def _may_override(context, rule='unlock_override'):
    try:
        return bool(context.policy.enforce(
            context, rule, scope='actions',
            target={'project_id': context.project_id},
            is_registered_policy=True))
    except heat_exception.Forbidden:
        return False
