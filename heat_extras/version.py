# SPDX-License-Identifier: Apache-2.0

"""Which release of heat-extras this is."""

import importlib.metadata


def installed():
    """Return what ``setup.cfg`` said when this was installed."""
    return importlib.metadata.version('heat-extras')
