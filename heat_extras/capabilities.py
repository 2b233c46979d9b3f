# SPDX-License-Identifier: Apache-2.0

"""What an engine can that one of an older release cannot.

An engine reports the names of what it can when it reports itself
(:mod:`heat_extras.host.engines`). A request for what is new is refused while
a live engine has not reported it. What every engine with a feature turned on
can stands here; what comes with one feature, in the record of that.

A name is kept for good: releases to come ask for it.
"""

#: The calls of parents are marked: :mod:`heat_extras.host.parent_call`.
PARENT_CALL = 'parent_call'

#: Protection from deletion is honoured: :mod:`stack_lock.delete_protection`.
DELETE_PROTECTION = 'delete_protection'

#: Locks have ids, and requests name them: :mod:`stack_lock.identity`.
LOCK_IDENTITY = 'lock_identity'

#: Locks have ends, and engines lift them then: :mod:`stack_lock.expiry`.
LOCK_END = 'lock_end'

#: Locks have passes, which let one update through: :mod:`stack_lock.passes`.
LOCK_PASS = 'lock_pass'

OF_ALL = (PARENT_CALL,)
