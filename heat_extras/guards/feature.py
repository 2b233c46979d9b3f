# SPDX-License-Identifier: Apache-2.0

"""The feature ``guards``: one answer to "what stops me here?"."""

from heat_extras import feature

FEATURE = feature.Feature(
    'guards',
    errors='heat_extras.guards.errors',
    engine='heat_extras.guards.listing')
