# SPDX-License-Identifier: Apache-2.0

"""Lock and unlock, from the order of a caller to the work in a thread."""

from heat_extras.stack_lock import background
from heat_extras.stack_lock import consent
from heat_extras.stack_lock import coverage
from heat_extras.stack_lock import engines
from heat_extras.stack_lock.expiry import terms
from heat_extras.stack_lock.identity import condition
from heat_extras.stack_lock import request
from heat_extras.stack_lock import states


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
    request.validate(level, reason, dry_run)
    wanted = condition.read(expected, 'lock')
    end_at = terms.read(expires_at)
    root = request.root_row(service, context, identity, 'lock')
    condition.check_early(context, root, wanted)
    terms.check_early(context, root, level, end_at)
    if dry_run:
        request.check_early(context, root, states.LOCK, wanted)
        return coverage.dry_run(context, root, level)
    engines.check_all_guarded(context)
    with consent.asked(context, root, states.LOCK) as end:
        outcome = request.lock(context, root, level, reason,
                               service.engine_id, wanted, expires_at=end_at)
    background.start(service, context, outcome, states.LOCK, level, end)
    # Who would look for it afterwards could find the one of somebody else.
    return {'lock': {'id': outcome.lock_id}}


def unlock(service, context, identity, expected=None):
    """Lift the lock of a tree.

    :param service: as that of :func:`lock`.
    """
    wanted = condition.read(expected, 'unlock')
    root = request.root_row(service, context, identity, 'unlock')
    condition.check_early(context, root, wanted)
    with consent.asked(context, root, states.UNLOCK) as end:
        outcome = request.unlock(context, root, service.engine_id, wanted)
    background.start(service, context, outcome, states.UNLOCK, end=end)
