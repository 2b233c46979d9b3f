# SPDX-License-Identifier: Apache-2.0

"""Which lock a request means, if it says so.

A script that lifts "its" lock must not lift the one of somebody else who came
between: the id is compared inside of the transaction.
"""

import dataclasses
import uuid

from oslo_utils import uuidutils

from heat_extras import sanitize
from heat_extras.stack_lock import errors
from heat_extras.stack_lock.lock_list import words
from heat_extras.stack_lock import words as lock_words


@dataclasses.dataclass(frozen=True)
class Condition:
    """That a lock is in force.

    :param id: of it; None: that the stack is not locked.
    """

    id: str | None

    def check(self, stack, lock):
        """Go on only while it holds.

        :param stack: with ``id`` and ``name``.
        :param lock: its :class:`lock_record.Lock`.
        :raises StackLockConflict: naming what is in force.
        """
        if self.id != lock.id or (self.id is None and lock.is_locked):
            raise errors.StackLockConflict(
                message=self._refuse(stack, lock))

    def _refuse(self, stack, lock):
        named = lock_words.named(stack)
        if not lock.is_locked:
            return words.over(self.id, named, stack.name)
        found = words.in_force(lock.id, lock.level, lock.isotime())
        return (words.not_free(named, found) if self.id is None
                else words.not_in_force(self.id, named, found))


def read(sent, action):
    """Read what the API sends of the id in a request.

    :param sent: None where there is none, or a dict with ``id``.
    :param action: ``lock`` or ``unlock``.
    :returns: a :class:`Condition`, or None.
    :raises StackLockInvalid: saying what was found and what was wanted.
    """
    if sent is None:
        return None
    if not isinstance(sent, dict) or set(sent) != {'id'}:
        raise errors.StackLockInvalid(
            message=words.no_condition(sanitize.quote(sent)))
    found = sent['id']
    if found is None and action == 'lock':
        return Condition(None)
    if not isinstance(found, str) or not uuidutils.is_uuid_like(found):
        raise errors.StackLockInvalid(
            message=words.no_id(sanitize.quote(found), action))
    return Condition(str(uuid.UUID(found)))
