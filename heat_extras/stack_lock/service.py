# SPDX-License-Identifier: Apache-2.0

"""Lock and unlock, from the order of a caller to the work in a thread."""

from heat_extras.stack_lock import consent
from heat_extras.stack_lock import engine_check
from heat_extras.stack_lock.expiry import terms
from heat_extras.stack_lock.lock_list import precondition
from heat_extras.stack_lock import lock_request
from heat_extras.stack_lock import resource_fields
from heat_extras.stack_lock import states
from heat_extras.stack_lock import worker


def lock(service, context, identity, named, dry_run=False, expected=None,
         replace=False):
    """Lock a tree, or tell what that would protect.

    :param service: the heat.engine.service.EngineService that was asked.
    :param identity: of the root stack.
    :param named: the fields of the lock that the request names.
    :param expected: see :func:`precondition.read`.
    :param replace: whether a lock that is there keeps nothing.
    :returns: what the API answers: for a dry run what would be protected,
        else the ID of the lock, and of the lock that it has changed.
    """
    lock_request.validate(named, dry_run, replace)
    expected = precondition.read(expected, 'lock')
    end_at = terms.read(named.get('expires_at'))
    root = lock_request.root_row(service, context, identity, 'lock')
    wanted = lock_request.read(context, named, end_at, replace,
                               service.engine_id)
    check = lock_request.lock_checker(context, root, expected, replace)
    level = lock_request.check_lock_early(context, root, wanted, check)
    if dry_run:
        return resource_fields.dry_run(context, root, level)
    engine_check.check_all_guarded(context)
    with consent.asked(context, root, states.LOCK) as end:
        outcome = lock_request.lock(context, root, wanted, check)
    worker.start(service, context, outcome, states.LOCK, outcome.level, end)
    # Who would look for it afterwards could find the one of somebody else.
    return {'lock': {'id': outcome.lock_id,
                     'previous_id': outcome.previous_id}}


def unlock(service, context, identity, expected=None, ignore_failures=False):
    """Lift the lock of a tree.

    :param service: as that of :func:`lock`.
    :param ignore_failures: whether to unlock it also when resources cannot
        be released.
    """
    lock_request.check_boolean('ignore_failures', ignore_failures)
    wanted = precondition.read(expected, 'unlock')
    root = lock_request.root_row(service, context, identity, 'unlock')
    lock_request.check_early(context, root, states.UNLOCK, wanted)
    with consent.asked(context, root, states.UNLOCK) as end:
        outcome = lock_request.unlock(context, root, service.engine_id, wanted)
    worker.start(service, context, outcome, states.UNLOCK, end=end,
                 ignore_failures=ignore_failures)
