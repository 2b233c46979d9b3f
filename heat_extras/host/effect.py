# SPDX-License-Identifier: Apache-2.0

"""What an update does to a resource that exists: the words for it.

Pure: nothing of Heat is imported.
"""

import dataclasses

KEEP, CHANGE, RECREATE, REMOVE = 'keep', 'update', 'replace', 'remove'


@dataclasses.dataclass(frozen=True)
class Effect:
    """What an update does to one resource.

    :param kind: one of those above.
    :param is_certain: False when the update itself decides.
    """

    kind: str = KEEP
    is_certain: bool = True
    reason: str | None = None
