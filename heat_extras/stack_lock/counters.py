# SPDX-License-Identifier: Apache-2.0

"""Count what locks stopped, per stack and operation, for the operator.

It is written when the answer is made: no transaction of Heat's is open then,
and an operation on a stack that is not locked never comes here.
"""

from heat_extras.db import counters
from heat_extras.db import counting
from heat_extras.stack_lock import errors


def count_refusal(error, operation):
    """Count one refusal; a database that is away changes no answer.

    :param error: the exception that the caller is told; only
        :class:`StackLocked` and :class:`StackProtected` count.
    """
    if isinstance(error, (errors.StackLocked, errors.StackProtected)):
        counting.count(error.kwargs.get('stack_id'), counters.REFUSED,
                       operation)


def add_ignored(session, stack_id):
    """Count a signal without effect, in the transaction of the caller."""
    counting.add(session, stack_id, counters.IGNORED, 'signal')
