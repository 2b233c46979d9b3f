# SPDX-License-Identifier: Apache-2.0

"""Python as the installed Heat needs it.

Importing this imports the standard library only.
"""

from importlib import metadata
import warnings


def prepare():
    """Choose the threads that the installed Heat expects.

    Heat 24 is the last release on eventlet: its ``heat.cmd.engine`` patches
    the standard library first of all. From Heat 25 on the same module
    chooses the threading backend of oslo.service. Both must come before
    anything else is imported, so call this first.

    :raises ImportError: if no Heat is installed, or not all that it needs.
    """
    # Also any other Heat where futurist or another library imports eventlet.
    warnings.filterwarnings('ignore', message=r'\s*Eventlet is deprecated')
    if is_on_eventlet():
        import eventlet
        eventlet.monkey_patch()
    else:
        from oslo_service import backend
        backend.init_backend(backend.BackendType.THREADING)


def is_on_eventlet():
    """Return whether the installed Heat is one of those built on eventlet.

    :raises ImportError: if no Heat is installed.
    """
    return int(metadata.version('openstack-heat').partition('.')[0]) < 25
