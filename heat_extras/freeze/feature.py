# SPDX-License-Identifier: Apache-2.0

"""The feature ``freeze``: times in which stacks stay as they are."""

from heat_extras import feature

FEATURE = feature.Feature(
    'freeze',
    errors='heat_extras.freeze.errors',
    engine='heat_extras.freeze.in_force',
    switch='freezes_file')
