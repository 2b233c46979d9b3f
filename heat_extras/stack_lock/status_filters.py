# SPDX-License-Identifier: Apache-2.0

"""Filter stacks by the action and status that are shown."""

from heat.db import models
from oslo_config import cfg
import sqlalchemy

from heat_extras.stack_lock import lock_record

_COVERED = ('action', 'status')


def narrow(query, filters):
    """Add the filters of what a lock may cover to a query for stacks.

    :param filters: from the name of a column to one value, or several.
    :returns: the query, and the filters that are left.
    """
    for name in _COVERED:
        if name in filters:
            wanted = filters[name]
            if not isinstance(wanted, (list, tuple, set, frozenset)):
                wanted = [wanted]
            query = query.filter(_shown(name).in_(wanted))
    return query, {name: value for name, value in filters.items()
                   if name not in _COVERED}


def _shown(name):
    own = getattr(models.Stack, name)
    lock = getattr(models.Stack, f'lock_{name}')
    overlay = cfg.CONF.heat_extras.status_overlay
    if overlay == lock_record.OVERLAY_OFF:
        return own
    if overlay == lock_record.OVERLAY_LOCKED:
        lock = sqlalchemy.case((models.Stack.lock_level.is_not(None), lock))
    return sqlalchemy.func.coalesce(lock, own)
