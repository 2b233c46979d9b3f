# SPDX-License-Identifier: Apache-2.0

"""Lock and unlock, from the order of a caller to the work in a thread."""

from heat_extras.stack_lock import background
from heat_extras.stack_lock import consent
from heat_extras.stack_lock import coverage
from heat_extras.stack_lock import engines
from heat_extras.stack_lock import request
from heat_extras.stack_lock import states


def lock(service, context, identity, level, reason, dry_run):
    """Lock a tree, or tell what that would protect.

    :param service: the heat.engine.service.EngineService that was asked.
    :param identity: of the root stack.
    :returns: for a dry run what the API answers, else None.
    """
    request.validate(level, reason, dry_run)
    root = request.root_row(service, context, identity, 'lock')
    if dry_run:
        return coverage.dry_run(context, root, level)
    engines.check_all_guarded(context)
    with consent.asked(context, root, states.LOCK) as end:
        outcome = request.lock(context, root, level, reason,
                               service.engine_id)
    background.start(service, context, outcome, states.LOCK, level, end)
    return None


def unlock(service, context, identity):
    """Lift the lock of a tree.

    :param service: as that of :func:`lock`.
    """
    root = request.root_row(service, context, identity, 'unlock')
    with consent.asked(context, root, states.UNLOCK) as end:
        outcome = request.unlock(context, root, service.engine_id)
    background.start(service, context, outcome, states.UNLOCK, end=end)
