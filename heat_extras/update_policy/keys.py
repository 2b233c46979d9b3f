# SPDX-License-Identifier: Apache-2.0

"""The keys of ``allow``, and which of them decides about what.

Pure: nothing of Heat is imported.
"""

from heat_extras.host import effect

UPDATE, REPLACE = 'update', 'replace'
ALL = (UPDATE, REPLACE)

DECIDING = {effect.CHANGE: UPDATE, effect.RECREATE: REPLACE,
            effect.REMOVE: REPLACE}
