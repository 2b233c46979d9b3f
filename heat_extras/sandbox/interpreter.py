# SPDX-License-Identifier: Apache-2.0

"""Prepare Python for the installed Heat.

Importing this module imports only the standard library.
"""

from importlib import metadata
import warnings


def prepare():
    """Choose the threads that the installed Heat expects.

    Heat 24 is the last release on eventlet: its ``heat.cmd.engine`` patches
    the standard library before any other import. From Heat 25 on, the same
    module chooses the threading backend of oslo.service. Call this before any
    other module is imported.

    :raises ImportError: if Heat, or a package that it needs, is not installed.
    """
    # Also for later releases, because a library like futurist can import
    # eventlet.
    warnings.filterwarnings('ignore', message=r'\s*Eventlet is deprecated')
    if is_on_eventlet():
        import eventlet
        eventlet.monkey_patch()
    else:
        from oslo_service import backend
        backend.init_backend(backend.BackendType.THREADING)


def is_on_eventlet():
    """Return whether the installed Heat uses eventlet.

    :raises ImportError: if no Heat is installed.
    """
    return int(metadata.version('openstack-heat').partition('.')[0]) < 25
