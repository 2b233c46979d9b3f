# SPDX-License-Identifier: Apache-2.0

"""The change that an update makes to a resource, without imports of Heat."""

import dataclasses

UNCHANGED, UPDATE, REPLACE, REMOVE = 'keep', 'update', 'replace', 'remove'

#: The action for a resource that does not exist yet.
ADD = 'add'

#: Actions after which the present resource no longer exists.
DESTRUCTIVE = (REPLACE, REMOVE)


@dataclasses.dataclass(frozen=True)
class Change:
    """The change of one resource.

    :param action: one of the actions above.
    :param is_certain: False if this is decided during the update.
    :param reason: the cause, unless it is a property.
    :param may_replace: whether an update in place may become a replacement,
        depending on a value that is not known yet.
    :param is_known: False if the change cannot be determined.
    :param rejection: why Heat rejects the change, or None.
    :param rejection_type: the type of the error.
    """

    action: str = UNCHANGED
    is_certain: bool = True
    reason: str | None = None
    may_replace: bool = False
    is_known: bool = True
    rejection: str | None = None
    rejection_type: str = 'NotSupported'

    @property
    def destroys(self) -> bool:
        """Whether the present resource certainly does not exist afterwards."""
        return self.is_certain and self.action in DESTRUCTIVE

    @property
    def keeps_id(self) -> bool:
        """Whether ``get_resource`` returns the same value afterwards."""
        return self.action not in DESTRUCTIVE and not self.may_replace

    @property
    def shown_action(self) -> str:
        """The most severe action that is possible."""
        return REPLACE if self.may_replace else self.action

    @property
    def will_happen(self) -> bool:
        """Whether exactly :attr:`shown_action` happens."""
        return self.is_certain and not self.may_replace

    def uncertain(self) -> 'Change':
        """Return the same change, marked as uncertain."""
        return dataclasses.replace(self, is_certain=False)
