# SPDX-License-Identifier: Apache-2.0

"""Find engines of the cloud that do not enforce locks."""

from heat.db import api as db_api
from oslo_config import cfg

from heat_extras.db import live_engines
from heat_extras.heat_internals import heartbeat
from heat_extras.stack_lock import errors


def describe_all(context):
    """Describe the live engines that do not enforce locks.

    :returns: a sorted list of ``host (engine ID)``.
    """
    with db_api.context_manager.reader.independent.using(context) as session:
        rows = live_engines.read_live(session)
    return sorted(heartbeat.describe_engine(row) for row in rows
                  if not live_engines.has_feature(row, 'stack_lock'))


def check_all_guarded(context, consequence='No stack can be locked'):
    """Reject a request that an engine without locks would not enforce.

    :param consequence: the begin of the sentence in the error.
    :raises StackLockConflict: with the names of the engines.
    """
    if cfg.CONF.heat_extras.allow_unguarded_engines:
        return
    engines = describe_all(context)
    if engines:
        raise errors.StackLockConflict(message=(
            f'{consequence} now: these engines run without the feature '
            '"stack_lock" of heat-extras, and would not enforce locks or '
            f'protections: {", ".join(engines)}. Ask the operator of this '
            'Heat to add "stack_lock" to [heat_extras] features on these '
            'engines and restart them, or to stop them. To accept such '
            'engines, the operator can set allow_unguarded_engines = true.'))
