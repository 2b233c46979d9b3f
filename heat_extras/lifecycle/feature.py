# SPDX-License-Identifier: Apache-2.0

"""The feature ``lifecycle``: the provider's code around every action."""

from heat_extras.db import models
from heat_extras import feature

FEATURE = feature.Feature(
    'lifecycle',
    engine='heat_extras.lifecycle.plug_point',
    keeps=(models.unbegun_table,),
    purge='heat_extras.db.operations.purge')
