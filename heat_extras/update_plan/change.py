# SPDX-License-Identifier: Apache-2.0

"""What an update does to a resource that exists.

Pure: nothing of Heat is imported.
"""

import dataclasses

UNCHANGED, UPDATE, REPLACE, REMOVE = 'keep', 'update', 'replace', 'remove'

#: What happens to a resource that does not exist yet.
ADD = 'add'

#: Acts after which the resource is not there any more.
DESTRUCTIVE = (REPLACE, REMOVE)


@dataclasses.dataclass(frozen=True)
class Change:
    """What an update does to one resource.

    :param action: one of those above.
    :param is_certain: False when the update itself decides.
    :param reason: why, where that is not a property. Of a resource that is
        unchanged: why Heat refuses to change it.
    :param may_replace: whether a value that is not known yet may make an
        update in place a replacement.
    :param is_known: False when the change could not be worked out.
    """

    action: str = UNCHANGED
    is_certain: bool = True
    reason: str | None = None
    may_replace: bool = False
    is_known: bool = True

    @property
    def keeps_id(self) -> bool:
        """Whether ``get_resource`` returns the same after it."""
        return self.action not in DESTRUCTIVE and not self.may_replace

    @property
    def shown_action(self) -> str:
        """The most that can happen."""
        return REPLACE if self.may_replace else self.action

    @property
    def will_happen(self) -> bool:
        """Whether exactly :attr:`shown_action` happens."""
        return self.is_certain and not self.may_replace

    def uncertain(self) -> 'Change':
        """Return the same as what only may happen."""
        return dataclasses.replace(self, is_certain=False)
