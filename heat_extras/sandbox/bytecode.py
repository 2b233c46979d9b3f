# SPDX-License-Identifier: Apache-2.0

"""Bytecode of Heat and its clients, where Python would not keep any.

uv installs without bytecode, and images set PYTHONDONTWRITEBYTECODE or cannot
be written to. Each start would compile all modules again, which takes longer
than the start itself. Importing this imports the standard library only.
"""

import importlib.util
import os
import sys


def keep():
    """Let this process and its children keep bytecode in a cache folder.

    Installed bytecode is used as it is.
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
