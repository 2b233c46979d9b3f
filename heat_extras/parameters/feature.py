# SPDX-License-Identifier: Apache-2.0

"""The feature ``parameters``: parameters that stay."""

from heat_extras.db import models
from heat_extras import feature

FEATURE = feature.Feature(
    'parameters',
    shares=('heat_extras.rollback.patches',),
    engine='heat_extras.parameters.before',
    keeps=(models.baseline_table,))
