# SPDX-License-Identifier: Apache-2.0

"""The protection of a tree from deletion.

It is independent of the lock. It rejects deletions, and if its user has asked
for that, also updates that would replace or remove a resource. Pure: does not
import Heat.
"""

import dataclasses
import typing

from heat_extras import guard
from heat_extras import sanitize
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock import states

#: Heat's own action of a stack that is being deleted.
DELETE = 'DELETE'

#: The fields of stack bodies.
PROTECTED = 'delete_protected'
RESOURCES = 'delete_protection_resources'
PUBLIC_FIELDS = (PROTECTED, RESOURCES, 'delete_protection_reason',
                 'delete_protected_by', 'delete_protected_at')

# The level of a protection that includes the resources.
WITH_RESOURCES = 'resources'


@dataclasses.dataclass(frozen=True)
class Protection(lock_record.GuardRecord):
    """The protection of one root.

    :ivar id: the ID of the protection. None if the root is not protected, or
        only by a tag.
    :ivar has_resources: whether updates must not replace or remove resources.
    :ivar tag: the tag if it protects the root, or None.
    :ivar tag_has_resources: the same as *has_resources* for the tag.
    :ivar is_suspended: whether a root with the tag is suspended. Heat then
        rejects updates.
    """

    RULE, OVERRIDE_RULE = 'unprotect', 'unprotect_override'
    NAME, VERB = 'protection', 'protected from deletion'

    has_resources: bool = False
    tag: str | None = None
    tag_has_resources: bool = False
    is_suspended: bool = False

    @classmethod
    def from_columns(cls, row: typing.Any) -> 'Protection':
        """Return the protection as far as the columns of the stack have it."""
        return (NONE if row.delete_protection_id is None
                else cls(id=row.delete_protection_id))

    @classmethod
    def from_row(cls, row: typing.Any) -> 'Protection':
        """Read it from a row of ``guard_row.select_guards()``."""
        return (cls.from_columns(row) if row.id is None
                else cls(**lock_record.user_fields(row),
                         has_resources=row.level == WITH_RESOURCES))

    @property
    def is_set(self) -> bool:
        return self.id is not None or self.tag is not None

    @property
    def parts(self) -> list['Protection']:
        """The protection without the tag, and by the tag, if they are set."""
        by_tag = Protection(tag=self.tag, is_suspended=self.is_suspended,
                            has_resources=self.tag_has_resources)
        return [each for each in (dataclasses.replace(self, tag=None), by_tag)
                if each.is_set]

    @property
    def required_policy(self) -> str:
        return 'stacks:update' if self.id is None else super().required_policy

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
                 if self.id is not None and self.rank == states.ADMIN
                 else f'{remove} {policy}')
        return f'Stack {stack} is protected from deletion by {by}. {steps}'

    def summary(self, reader_project: str | None) -> str:
        """Describe the user, time and reason of the protection."""
        return (self.by_and_since(reader_project)
                + sanitize.after_colon(self.reason))

    def of_resources(self, root_name: str) -> guard.ResourceProtection | None:
        """Return the protection of the resources, or None."""
        part = next((each for each in self.parts if each.has_resources), None)
        if part is None:
            return None
        if part.tag is not None:
            # Short, because an event has only 255 characters.
            return guard.ResourceProtection(
                f'the tag {part.tag!r} of stack {root_name}',
                'openstack stack update --existing --tags OTHER_TAGS '
                f'{root_name}')
        return guard.ResourceProtection(
            f'the protection of stack {root_name} with its resources',
            f'{part.how_to_remove(root_name)} (required policy: '
            f'{part.required_policy})')

    def public_fields(self, reader_project: str | None) -> dict:
        """Return the fields of stack bodies."""
        return {PROTECTED: self.is_set, RESOURCES: self.has_resources,
                'delete_protection_reason': self.reason,
                'delete_protected_by': self.set_by_for(reader_project),
                'delete_protected_at': self.isotime()}


NONE = Protection()
