# SPDX-License-Identifier: Apache-2.0

"""All engines of the cloud must enforce locks."""

from heat.db import api as db_api
from oslo_config import cfg

from heat_extras.db import live_engines
from heat_extras.heat_internals import heartbeat
from heat_extras.stack_lock import errors


def unguarded(context):
    """List the live engines that do not carry the lock.

    :returns: ``host (engine id)`` of each, sorted.
    """
    with db_api.context_manager.reader.independent.using(context) as session:
        rows = live_engines.read_live(session)
    return sorted(heartbeat.describe_engine(row) for row in rows
                  if not live_engines.has_feature(row, 'stack_lock'))


def check_all_guarded(context, what='No stack can be locked'):
    """Refuse what an engine without the lock would not honour.

    :param what: begins the sentence of the refusal.
    :raises StackLockConflict: naming the engines.
    """
    if cfg.CONF.heat_extras.allow_unguarded_engines:
        return
    found = unguarded(context)
    if found:
        raise errors.StackLockConflict(message=(
            f'{what} now: these engines run without stack_lock of heat-extras '
            f'and would not enforce it: {", ".join(found)}. Enable stack_lock '
            'in [heat_extras] features there and restart them, or stop them. '
            'The option allow_unguarded_engines overrides this.'))
