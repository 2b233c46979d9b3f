# SPDX-License-Identifier: Apache-2.0

"""The feature ``health``: resources that people know to be broken."""

from heat_extras.db import models
from heat_extras import feature

FEATURE = feature.Feature(
    'health',
    errors='heat_extras.health.errors',
    engine='heat_extras.health.replacement',
    keeps=(models.mark_table,))
