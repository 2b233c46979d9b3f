# SPDX-License-Identifier: Apache-2.0

"""How long things take, in seconds.

Pure: nothing of Heat is imported.
"""

# The longest that an option may say: Python waits no more than 290 years.
DAY = 86400
