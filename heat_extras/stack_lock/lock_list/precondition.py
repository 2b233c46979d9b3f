# SPDX-License-Identifier: Apache-2.0

"""The precondition of a request with the ID of a lock.

If another user has since locked the stack again, a script must not remove this
lock. The ID is compared inside the transaction.
"""

import dataclasses
import uuid

from oslo_utils import uuidutils

from heat_extras import sanitize
from heat_extras.stack_lock import errors
from heat_extras.stack_lock import messages


@dataclasses.dataclass(frozen=True)
class Precondition:
    """The condition that a certain lock is in effect.

    :param id: the ID of the lock, or None if the stack must not be locked.
    """

    id: str | None

    def check(self, stack, lock):
        """Reject the request unless the precondition is met.

        :param stack: an object with ``id`` and ``name``.
        :param lock: its :class:`heat_extras.stack_lock.lock_record.Lock`.
        :raises StackLockConflict: with the lock in effect.
        """
        if self.id != lock.id:
            raise errors.StackLockConflict(
                message=self._not_met_message(stack, lock))

    def _not_met_message(self, stack, lock):
        named = messages.name_and_id(stack)
        if not lock.is_locked:
            return (f'Lock {self.id} is not in effect: stack {named} is not '
                    'locked. The stack was not changed. To lock the stack: '
                    f'openstack stack lock {stack.name}.')
        current = (f'lock {lock.id} (level {lock.level}, since '
                   f'{lock.isotime()})')
        if self.id is None:
            return (f'Stack {named} is locked: {current} is in effect. The '
                    'lock was not changed. To change this lock, give its ID '
                    '(--lock-id). Otherwise, wait until the stack is '
                    'unlocked.')
        return (f'Lock {self.id} is not in effect on stack {named}: {current} '
                'is in effect, and was not changed. Check who has set this '
                'lock, and why. To change this lock, give its ID (--lock-id).')


def parse_precondition(condition, action):
    """Parse the precondition of a request.

    :param condition: a dict with ``id``, or None without a precondition.
    :param action: ``lock`` or ``unlock``.
    :returns: a :class:`Precondition`, or None.
    :raises StackLockInvalid: with the value that is not valid.
    """
    if condition is None:
        return None
    if not isinstance(condition, dict) or set(condition) != {'id'}:
        raise errors.StackLockInvalid(
            message=f'Invalid precondition: {sanitize.quote(condition)} must '
                    'be an object with the key "id".')
    lock_id = condition['id']
    if lock_id is None and action == 'lock':
        return Precondition(None)
    if not isinstance(lock_id, str) or not uuidutils.is_uuid_like(lock_id):
        unlocked = (', or null if the stack must not be locked'
                    if action == 'lock' else '')
        raise errors.StackLockInvalid(
            message=f'Invalid id in {action}: {sanitize.quote(lock_id)} must '
                    'be a UUID: the ID of the lock (the field lock_id of the '
                    f'stack){unlocked}.')
    return Precondition(str(uuid.UUID(lock_id)))
