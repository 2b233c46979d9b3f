# SPDX-License-Identifier: Apache-2.0

"""The names of operations on stacks, as messages and options have them.

Pure: does not import Heat.
"""

CREATE, UPDATE, DELETE = 'create', 'update', 'delete'
SUSPEND, RESUME, CHECK = 'suspend', 'resume', 'check'
SNAPSHOT, SNAPSHOT_DELETE = 'snapshot', 'snapshot delete'
RESTORE, CANCEL, ABANDON = 'restore', 'cancel', 'abandon'
MARK_UNHEALTHY, CLEAR_HOOK = 'mark unhealthy', 'hook clearing'
MIGRATE, SIGNAL = 'migrate', 'signal'
PREVIEW, EXPORT = 'preview', 'export'
