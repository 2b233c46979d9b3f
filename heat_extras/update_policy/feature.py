# SPDX-License-Identifier: Apache-2.0

"""The feature ``update_policy``: templates that guard their resources."""

from heat_extras.db import models
from heat_extras import feature

FEATURE = feature.Feature(
    'update_policy',
    errors='heat_extras.update_policy.errors',
    shares=('heat_extras.rollback.patches',),
    engine='heat_extras.update_policy.undo',
    keeps=(models.baseline_table,))
