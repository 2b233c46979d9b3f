# SPDX-License-Identifier: Apache-2.0

"""The windows in force now, and the count of files that could not be.

A file with errors is counted when it is found, by whoever finds it: an
operation, somebody who lists guards, or the engine's own report.
"""

from heat_extras.db import counters
from heat_extras.db import counting
from heat_extras.freeze import in_force


def windows(context):
    """List the windows in force, after a look whether the file changed."""
    holder = in_force.current()
    if holder is None:
        return ()
    found = holder.windows()
    for _ in range(holder.take_uncounted()):
        counting.count(counters.GONE, counters.FREEZES_FILE,
                       counters.UNUSABLE, context)
    return found
