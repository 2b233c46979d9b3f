# SPDX-License-Identifier: Apache-2.0

"""Python as the installed Heat needs it: its threads and its bytecode.

Importing this imports the standard library only.
"""

import importlib
from importlib import metadata
import importlib.util
import os
import sys
import warnings


def prepare():
    """Bring the process into the shape that the installed Heat expects.

    Heat 24 is the last release on eventlet: its ``heat.cmd.engine`` patches
    the standard library first of all. From Heat 25 on the same module
    chooses the threading backend of oslo.service. Both must come before
    anything else is imported, so call this first.

    :raises ImportError: where no Heat is installed, or not all that it needs.
    """
    # Also any other Heat where futurist or another library imports eventlet.
    warnings.filterwarnings('ignore', message=r'\s*Eventlet is deprecated')
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


def keep_bytecode():
    """Let this process and its children keep bytecode in a cache folder.

    uv installs without bytecode, and images set PYTHONDONTWRITEBYTECODE or
    can not be written to. Each start would compile all modules again, which
    takes longer than the start itself. Installed bytecode is used as it is.
    """
    spec = importlib.util.find_spec('heat')
    if spec is None or not _is_compiled_at_each_start(spec.origin):
        return
    folder = os.path.join(_cache_home(), 'heat-extras', 'bytecode')
    sys.pycache_prefix, sys.dont_write_bytecode = folder, False
    os.environ['PYTHONPYCACHEPREFIX'] = folder
    os.environ.pop('PYTHONDONTWRITEBYTECODE', None)


def _is_compiled_at_each_start(source):
    return not os.path.exists(importlib.util.cache_from_source(source)) and (
        sys.dont_write_bytecode
        or not os.access(os.path.dirname(source), os.W_OK))


def _cache_home():
    # As the XDG Base Directory Specification has it.
    return os.environ.get('XDG_CACHE_HOME') or os.path.join(
        os.path.expanduser('~'), '.cache')
