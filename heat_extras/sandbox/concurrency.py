# SPDX-License-Identifier: Apache-2.0

"""How the installed Heat runs its threads, settled before Heat is loaded."""

import importlib
from importlib import metadata

from heat_extras.terminal import notices


def prepare():
    """Bring the process into the shape that the installed Heat expects.

    Heat 24 is the last release on eventlet: its ``heat.cmd.engine`` patches
    the standard library first of all. From Heat 25 on the same module
    chooses the threading backend of oslo.service. Both must come before
    anything else is imported, so call this first.

    :raises ImportError: where no Heat is installed, or not all that it needs.
    """
    notices.hide()
    if is_on_eventlet():
        import eventlet
        eventlet.monkey_patch()
        # As below: a package that is not installed is reported before Heat
        # is imported.
        importlib.import_module('oslo_config.cfg')
    else:
        _choose_threads()


def _choose_threads():
    import logging

    from oslo_service import backend
    # Nothing else is set up to show what it says before it fails.
    logging.getLogger(backend.__name__).addHandler(logging.NullHandler())
    try:
        backend.init_backend(backend.BackendType.THREADING)
    except ValueError as error:
        # It takes what does not import for what it does not know.
        if isinstance(error.__context__, ImportError):
            raise error.__context__ from None
        raise


def is_on_eventlet():
    """Return whether the installed Heat is one of those built on eventlet.

    :raises ImportError: where no Heat is installed.
    """
    return int(metadata.version('openstack-heat').partition('.')[0]) < 25
