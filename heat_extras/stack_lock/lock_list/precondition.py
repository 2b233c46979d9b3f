# SPDX-License-Identifier: Apache-2.0

"""The lock that a request means, if it names one by its ID.

If another user has locked the stack anew, a script must not remove that lock.
The ID is compared inside the transaction.
"""

import dataclasses
import uuid

from oslo_utils import uuidutils

from heat_extras import sanitize
from heat_extras.stack_lock import errors
from heat_extras.stack_lock import messages


@dataclasses.dataclass(frozen=True)
class Precondition:
    """That a lock is in effect.

    :param id: of the lock; None: that the stack is not locked.
    """

    id: str | None

    def check(self, stack, lock):
        """Reject the request unless the precondition is met.

        :param stack: with ``id`` and ``name``.
        :param lock: its :class:`heat_extras.stack_lock.lock_record.Lock`.
        :raises StackLockConflict: naming the lock that is in effect.
        """
        if self.id != lock.id:
            raise errors.StackLockConflict(message=self._refuse(stack, lock))

    def _refuse(self, stack, lock):
        named = messages.name_and_id(stack)
        if not lock.is_locked:
            return (f'Lock {self.id} is not in effect on stack {named}, which '
                    'is not locked. Nothing was changed. To lock it: '
                    f'openstack stack lock {stack.name}.')
        found = f'lock {lock.id} (level {lock.level}, since {lock.isotime()})'
        if self.id is None:
            return (f'Stack {named} is locked: {found} is in effect. Nothing '
                    'was changed. To change that lock, name it by its ID, or '
                    'wait until the stack is unlocked.')
        return (f'Lock {self.id} is not in effect on stack {named}: {found} '
                'is. Nothing was changed. Check who has set that lock, and '
                'why. If you mean that lock, name it by its ID.')


def read(sent, action):
    """Read what the API sends of the ID in a request.

    :param sent: None where there is none, or a dict with ``id``.
    :param action: ``lock`` or ``unlock``.
    :returns: a :class:`Precondition`, or None.
    :raises StackLockInvalid: naming the value that was sent.
    """
    if sent is None:
        return None
    if not isinstance(sent, dict) or set(sent) != {'id'}:
        raise errors.StackLockInvalid(
            message=f'Invalid precondition: {sanitize.quote(sent)} must be '
                    'an object with an id.')
    found = sent['id']
    if found is None and action == 'lock':
        return Precondition(None)
    if not isinstance(found, str) or not uuidutils.is_uuid_like(found):
        unlocked = (', or null for a stack that is not locked'
                    if action == 'lock' else '')
        raise errors.StackLockInvalid(
            message=f'Invalid id in {action}: {sanitize.quote(found)} must be '
                    f'the ID of the lock (lock_id of its stack), a UUID'
                    f'{unlocked}.')
    return Precondition(str(uuid.UUID(found)))
