# SPDX-License-Identifier: Apache-2.0

"""Notices of libraries that nobody who runs heat-extras can act upon."""

import warnings


def hide():
    """Keep eventlet's notice of its deprecation away from standard error.

    Heat 24 brings it up, futurist under any Heat, and wherever an older
    library still imports eventlet. Call this before they are imported.
    """
    warnings.filterwarnings('ignore', message=r'\s*Eventlet is deprecated')
