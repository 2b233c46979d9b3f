# SPDX-License-Identifier: Apache-2.0

"""Lock and unlock, from the order of a caller to the work in a thread."""

from heat_extras.stack_lock import consent
from heat_extras.stack_lock import engine_check
from heat_extras.stack_lock.expiry import terms
from heat_extras.stack_lock.identity import condition
from heat_extras.stack_lock import lock_request
from heat_extras.stack_lock import resource_fields
from heat_extras.stack_lock import states
from heat_extras.stack_lock import worker


def lock(service, context, identity, level, reason, dry_run, expected=None,
         expires_at=None):
    """Lock a tree, or tell what that would protect.

    :param service: the heat.engine.service.EngineService that was asked.
    :param identity: of the root stack.
    :param expected: see :func:`condition.read`.
    :param expires_at: see :func:`terms.read`.
    :returns: what the API answers: for a dry run what would be protected,
        else the id of the lock.
    """
    lock_request.validate(level, reason, dry_run)
    wanted = condition.read(expected, 'lock')
    end_at = terms.read(expires_at)
    root = lock_request.root_row(service, context, identity, 'lock')
    condition.check_early(context, root, wanted)
    terms.check_early(context, root, level, end_at)
    if dry_run:
        lock_request.check_early(context, root, states.LOCK, wanted)
        return resource_fields.dry_run(context, root, level)
    engine_check.check_all_guarded(context)
    with consent.asked(context, root, states.LOCK) as end:
        outcome = lock_request.lock(
            context, root, level, reason, service.engine_id, wanted,
            expires_at=end_at)
    worker.start(service, context, outcome, states.LOCK, level, end)
    # Who would look for it afterwards could find the one of somebody else.
    return {'lock': {'id': outcome.lock_id}}


def unlock(service, context, identity, expected=None):
    """Lift the lock of a tree.

    :param service: as that of :func:`lock`.
    """
    wanted = condition.read(expected, 'unlock')
    root = lock_request.root_row(service, context, identity, 'unlock')
    condition.check_early(context, root, wanted)
    with consent.asked(context, root, states.UNLOCK) as end:
        outcome = lock_request.unlock(context, root, service.engine_id, wanted)
    worker.start(service, context, outcome, states.UNLOCK, end=end)
