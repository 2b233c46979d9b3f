# SPDX-License-Identifier: Apache-2.0

"""How the installed Heat runs its threads, settled before Heat is loaded."""

from importlib import metadata

from heat_extras.terminal import notices


def prepare():
    """Bring the process into the shape that the installed Heat expects.

    Heat 24 is the last release on eventlet: its ``heat.cmd.engine`` patches
    the standard library first of all. From Heat 25 on the same module
    chooses the threading backend of oslo.service. Both must come before
    anything else is imported, so call this first.
    """
    notices.hide()
    if is_on_eventlet():
        import eventlet
        eventlet.monkey_patch()
    else:
        from oslo_service import backend
        backend.init_backend(backend.BackendType.THREADING)


def is_on_eventlet():
    """Return whether the installed Heat is one of those built on eventlet.

    :raises ImportError: where no Heat is installed.
    """
    return int(metadata.version('openstack-heat').partition('.')[0]) < 25
