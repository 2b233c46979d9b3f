# SPDX-License-Identifier: Apache-2.0

"""What an update does to a resource that exists: the words for it.

Pure: nothing of Heat is imported.
"""

import dataclasses

UNCHANGED, UPDATE, REPLACE, REMOVE = 'keep', 'update', 'replace', 'remove'


@dataclasses.dataclass(frozen=True)
class Change:
    """What an update does to one resource.

    :param kind: one of those above.
    :param is_certain: False when the update itself decides.
    """

    kind: str = UNCHANGED
    is_certain: bool = True
    reason: str | None = None
