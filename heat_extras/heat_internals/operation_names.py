# SPDX-License-Identifier: Apache-2.0

"""What callers ask of stacks, by the names that people read and write.

Pure: nothing of Heat is imported.
"""

CREATE, UPDATE, DELETE = 'create', 'update', 'delete'
SUSPEND, RESUME, CHECK = 'suspend', 'resume', 'check'
SNAPSHOT, SNAPSHOT_DELETE = 'snapshot', 'snapshot delete'
RESTORE, CANCEL, ABANDON = 'restore', 'cancel', 'abandon'
MARK_UNHEALTHY, CLEAR_HOOK = 'mark unhealthy', 'hook clearing'
MIGRATE, SIGNAL = 'migrate', 'signal'
