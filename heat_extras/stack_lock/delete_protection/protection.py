# SPDX-License-Identifier: Apache-2.0

"""The protection of a tree from deletion, read from its root's row.

It is independent of the lock, and only rejects deletions. Pure: does not
import Heat.
"""

import dataclasses
import datetime
import typing

from heat_extras.heat_internals import object_data
from heat_extras import sanitize
from heat_extras import timestamps

#: Heat's own action of a stack that is being deleted.
DELETE = 'DELETE'

#: The fields of stack bodies.
PROTECTED = 'delete_protected'
PUBLIC_FIELDS = (PROTECTED, 'delete_protection_reason',
                 'delete_protected_by', 'delete_protected_at')


@dataclasses.dataclass(frozen=True)
class Protection:
    """The protection of one root.

    :param id: the ID of the protection. None if the root is not protected, or
        only by a tag.
    :param tag: the tag if it protects the root, or None.
    :param is_suspended: whether a root with the tag is suspended. Heat then
        rejects updates.
    """

    id: str | None = None
    reason: str | None = None
    set_by: str | None = None
    set_by_id: str | None = None
    project: str | None = None
    rank: str | None = None
    set_at: datetime.datetime | None = None
    tag: str | None = None
    is_suspended: bool = False

    @classmethod
    def from_row(cls, row: typing.Any) -> 'Protection':
        """Read the protection from an object with the columns of ``stack``."""
        if row.delete_protection_id is None:
            return NONE
        return cls(id=row.delete_protection_id,
                   reason=row.delete_protection_reason,
                   set_by=row.delete_protected_by,
                   set_by_id=row.delete_protected_by_id,
                   project=row.delete_protected_by_project,
                   rank=row.delete_protection_rank,
                   set_at=row.delete_protected_at)

    @property
    def is_set(self) -> bool:
        return self.id is not None or self.tag is not None

    def is_set_by(self, user_id: str | None) -> bool:
        """Return whether a user has set it, False if it is not known.

        :param user_id: see :func:`heat_extras.heat_internals.caller.user_id`.
        """
        return user_id is not None and user_id == self.set_by_id

    def set_by_for(self, project: str | None) -> str | None:
        """Return the user who set it, or None for another project."""
        return self.set_by if project == self.project else None

    @property
    def required_policy(self) -> str:
        """Return the policy rule that removing the protection requires."""
        if self.id is None:
            return 'stacks:update'
        return ('actions:unprotect_override' if self.rank == 'admin'
                else 'actions:unprotect')

    def how_to_remove(self, root_name: str) -> str:
        """Return the command that removes the protection."""
        if self.id is None:
            resume = (f'openstack stack resume --wait {root_name}, and then '
                      if self.is_suspended else '')
            return (f'{resume}openstack stack update --existing --tags TAGS '
                    f'{root_name}, where TAGS are all tags of the stack '
                    f'except {self.tag!r}')
        return f'openstack stack unprotect {root_name}'

    def describe(self, stack: str, root_name: str,
                 reader_project: str | None) -> str:
        """Describe the protection of a stack, and how to remove it.

        :param stack: the name and ID of the stack.
        """
        by = (f'the tag {self.tag!r} of its root stack {root_name}'
              if self.id is None else self.summary(reader_project))
        remove = f'To remove the protection: {self.how_to_remove(root_name)}.'
        policy = f'Required policy: {self.required_policy}.'
        # The reader is usually no administrator.
        steps = (f'An administrator has set this protection. {policy} {remove}'
                 if self.id is not None and self.rank == 'admin'
                 else f'{remove} {policy}')
        return f'Stack {stack} is protected from deletion by {by}. {steps}'

    def summary(self, reader_project: str | None) -> str:
        """Describe the user, time and reason of the protection."""
        user = self.set_by_for(reader_project) or 'a user of another project'
        return (f'{user} since {timestamps.to_iso(self.set_at)}'
                f'{sanitize.after_colon(self.reason)}')

    def public_fields(self, reader_project: str | None) -> dict:
        """Return the fields of stack bodies."""
        return {PROTECTED: self.is_set,
                'delete_protection_reason': self.reason,
                'delete_protected_by': self.set_by_for(reader_project),
                'delete_protected_at': timestamps.to_iso(self.set_at)}


NONE = Protection()


def protection_of(stack: object) -> Protection:
    """Return the protection of a loaded heat.engine.stack.Stack."""
    return object_data.of_stack(stack).protection or NONE
