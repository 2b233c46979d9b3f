# SPDX-License-Identifier: Apache-2.0

"""The keys of ``allow``, and which of them decides about what.

Pure: nothing of Heat is imported.
"""

from heat_extras.update_plan import change

UPDATE, REPLACE = 'update', 'replace'
ALL = (UPDATE, REPLACE)

DECIDING = {change.UPDATE: UPDATE, change.REPLACE: REPLACE,
            change.REMOVE: REPLACE}
