# SPDX-License-Identifier: Apache-2.0

"""The feature ``stack_lock``: locks of whole stack trees."""

from heat_extras import capabilities
from heat_extras.db import models
from heat_extras import feature

FEATURE = feature.Feature(
    'stack_lock',
    errors='heat_extras.stack_lock.errors',
    handlers='heat_extras.stack_lock.protection.handlers.records',
    engine='heat_extras.stack_lock.guarded_writes',
    keeps=(models.ignored_signal_table, models.protection_table,
           models.delete_claim_table, models.lock_table),
    capabilities=(capabilities.DELETE_PROTECTION,
                  capabilities.LOCK_IDENTITY, capabilities.LOCK_END,
                  capabilities.LOCK_PASS),
    purge='heat_extras.db.counters.purge')
