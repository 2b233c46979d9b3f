# SPDX-License-Identifier: Apache-2.0

"""Extends :mod:`heat.db.filters`: filter by the status that is shown."""

from heat.db import models
from oslo_config import cfg
import sqlalchemy

from heat_extras import patching
from heat_extras.stack_lock import locks

EXTENDS = 'heat.db.filters'


def _shown(name):
    own = getattr(models.Stack, name)
    lock = getattr(models.Stack, f'lock_{name}')
    overlay = cfg.CONF.heat_extras.status_overlay
    if overlay == locks.OVERLAY_OFF:
        return own
    if overlay == locks.OVERLAY_LOCKED:
        lock = sqlalchemy.case((models.Stack.lock_level.is_not(None), lock))
    return sqlalchemy.func.coalesce(lock, own)


@patching.wrap('(query, model, filters)',
               why='filters are compared with columns of the database, and '
                   "those keep the stack's own action and status")
def exact_filter(original, query, model, filters):
    if model is models.Stack and filters:
        filters = dict(filters)
        for name in ('action', 'status'):
            if name in filters:
                wanted = filters.pop(name)
                if not isinstance(wanted, (list, tuple, set, frozenset)):
                    wanted = [wanted]
                query = query.filter(_shown(name).in_(wanted))
    return original(query, model, filters)
