# SPDX-License-Identifier: Apache-2.0

"""The installed release of heat-extras."""

import importlib.metadata


def installed():
    """Return the version of the installed distribution."""
    return importlib.metadata.version('heat-extras')
