# SPDX-License-Identifier: Apache-2.0

"""The protection of a tree from deletion, as it was read with its root's row.

A thing of its own beside the lock: all but a deletion goes on, and lock and
unlock leave it alone. Pure: nothing of Heat is imported.
"""

import dataclasses
import datetime
import typing

from heat_extras.stack_lock.delete_protection import words
from heat_extras import timestamps

#: Heat's own action of a stack that is being deleted.
DELETE = 'DELETE'

#: What stack bodies carry about it.
PROTECTED = 'delete_protected'
PUBLIC_FIELDS = (PROTECTED, 'delete_protection_reason',
                 'delete_protected_by', 'delete_protected_at')


@dataclasses.dataclass(frozen=True)
class Protection:
    """That of one root.

    :param id: None where there is none, or a tag alone.
    :param tag: the tag that protects it, if one does.
    """

    id: str | None = None
    reason: str | None = None
    set_by: str | None = None
    project: str | None = None
    rank: str | None = None
    set_at: datetime.datetime | None = None
    tag: str | None = None

    @classmethod
    def from_row(cls, row: typing.Any) -> 'Protection':
        """Read it from anything with the columns of ``stack``."""
        if row.delete_protection_id is None:
            return NONE
        return cls(id=row.delete_protection_id,
                   reason=row.delete_protection_reason,
                   set_by=row.delete_protected_by,
                   project=row.delete_protected_by_project,
                   rank=row.delete_protection_rank,
                   set_at=row.delete_protected_at)

    @property
    def is_there(self) -> bool:
        return self.id is not None or self.tag is not None

    def set_by_for(self, project: str | None) -> str | None:
        """Name who has set it, but only to readers of the same project."""
        return self.set_by if project == self.project else None

    def describe(self, stack: str, root_name: str,
                 reader_project: str | None) -> str:
        """Tell a person what is protected, by whom, why, and what to do.

        :param stack: its name and id.
        """
        if self.id is None and self.tag is not None:
            return words.is_tagged(stack, self.tag, root_name)
        return words.is_protected(
            stack, self.set_by_for(reader_project),
            timestamps.to_iso(self.set_at), self.reason, root_name,
            words.right_to_unprotect(self.rank))

    def public_fields(self, reader_project: str | None) -> dict:
        """Return what stack bodies carry about it."""
        return {PROTECTED: self.is_there,
                'delete_protection_reason': self.reason,
                'delete_protected_by': self.set_by_for(reader_project),
                'delete_protected_at': timestamps.to_iso(self.set_at)}


NONE = Protection()


def tagged(found: Protection, tag: str | None) -> Protection:
    """Return a protection with the tag that protects, too."""
    return found if tag is None else dataclasses.replace(found, tag=tag)


def of(stack: object) -> Protection:
    """Return that which a heat.engine.stack.Stack was loaded with."""
    return getattr(stack, 'heat_extras_delete_protection', NONE)
