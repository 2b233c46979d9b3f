# SPDX-License-Identifier: Apache-2.0

"""What the UPDATE of a stack asks for, so that no protection comes before it.

One that begins a deletion asks for the protection itself. The first one of a
deletion that has claimed the root asks for the claim, which keeps every
protection away, and mostly is the one that ends what runs: so one whose engine
hung, and was taken for dead, ends nothing any more. A tag that came after the
claim came after the deletion had begun.
"""

from heat.db import models as heat_models
import sqlalchemy

from heat_extras.db import models
from heat_extras.stack_lock.delete_protection import claim
from heat_extras.stack_lock.delete_protection import record
from heat_extras.stack_lock.delete_protection import tag
from heat_extras.stack_lock import states

_claim = models.delete_claim_table


def criteria(values):
    """Return what it asks for, as expressions; none of most.

    :param values: what the UPDATE writes.
    """
    begins, held = claim.begins(values), claim.held()
    if held is None:
        return (_unprotected(), _untagged()) if begins else ()
    if held.has_written:
        # What was ended in part would stay so for ever.
        return (_unprotected(),) if begins else ()
    return (_unprotected(), sqlalchemy.exists().where(_claim.c.id == held.id))


def _unprotected():
    return heat_models.Stack.delete_protection_id.is_(None)


def _untagged():
    # The legacy engine writes twice that it begins (Stack.delete).
    stack = heat_models.Stack
    return tag.is_not_there() | sqlalchemy.and_(
        stack.action == record.DELETE, stack.status == states.IN_PROGRESS)
