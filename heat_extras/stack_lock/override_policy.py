# SPDX-License-Identifier: Apache-2.0

"""The rank of a lock or protection, and the right to change or remove it."""

from heat.common import exception as heat_exception

from heat_extras.stack_lock import errors
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock import messages
from heat_extras.stack_lock import states


def rank_of(context, kind=lock_record.Lock):
    """Return the rank of a lock or protection that the caller sets.

    :param kind: its class.
    """
    return (states.ADMIN if _may(context, kind.OVERRIDE_RULE)
            else states.MEMBER)


def check(context, stack, record):
    """Check that the caller may change a lock or protection of its rank.

    :param record: the :class:`lock_record.GuardRecord`.
    :raises StackLockForbidden: if the caller lacks the override rule.
    """
    if is_forbidden(context, record):
        raise errors.StackLockForbidden(message=(
            f'Stack {messages.name_and_id(stack)} was {record.VERB} by an '
            f'administrator. Changing or removing this {record.NAME} requires '
            f'the policy rule "{record.required_policy}". Ask an '
            'administrator of this cloud.'))


def is_forbidden(context, record):
    """Return whether the rank of a lock or protection is above the caller."""
    return record.rank == states.ADMIN and not may_remove(context, record)


def may_remove(context, record):
    """Return whether a caller may remove a lock or protection."""
    return _may(context, record.required_policy.removeprefix('actions:'))


def _may(context, rule):
    try:
        return bool(context.policy.enforce(
            context, rule, scope='actions',
            target={'project_id': context.project_id},
            is_registered_policy=True))
    except heat_exception.Forbidden:
        return False
