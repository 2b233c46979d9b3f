# SPDX-License-Identifier: Apache-2.0

"""Why something of heat-extras does not import, in one sentence.

``pip install heat-extras`` brings what the client needs, and nothing of Heat.
An extra that is not installed is told from an installation that is broken by
what the distribution itself says that it needs.

Pure: nothing of Heat is imported, and only the standard library.
"""

from importlib import metadata
import re
import traceback

DISTRIBUTION = 'heat-extras'

ENGINE = 'engine'
SANDBOX = 'sandbox'

# In a list of names.
_MOST = 3


def lacking(extra: str) -> list[str]:
    """List what an extra brings and is not installed here."""
    return [name for name in _brought(extra) if not _is_installed(name)]


def describe(error: ImportError, extra: str) -> str:
    """Say why an import failed, and what to do.

    :param error: what was raised.
    :param extra: the one that brings what is imported.
    :returns: one line, which names the module that is missing.
    """
    names = lacking(extra)
    # One with a dot has a package around it, which is there: it is broken.
    if (names and isinstance(error, ModuleNotFoundError) and error.name
            and '.' not in error.name):
        return (f'found no {error.name}, wanted what the extra '
                f'{DISTRIBUTION}[{extra}] brings, of which {_some(names)} '
                f'{"are" if names[1:] else "is"} not installed here; install '
                f'{DISTRIBUTION}[{extra}] in place of {DISTRIBUTION}')
    return (f'found {locate(error)}, wanted all that {DISTRIBUTION}[{extra}] '
            'brings to import; "pip check" tells what is missing or does not '
            'fit together')


def locate(error: BaseException) -> str:
    """Say what an error is and where it comes from, in one line."""
    text = ' '.join(str(error).split()) or 'no further details'
    frames = [frame for frame in traceback.extract_tb(error.__traceback__)
              if 'importlib' not in frame.filename]
    place = (f' ({frames[-1].filename}:{frames[-1].lineno})'
             if frames else '')
    return f'{type(error).__name__}: {text}{place}'


def _brought(extra: str) -> list[str]:
    try:
        required = metadata.requires(DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        # A checkout that is not installed.
        return []
    names = (re.match('[A-Za-z0-9._-]+', line) for line in required
             if re.search(f'extra == .{extra}.', line))
    return [name.group() for name in names if name]


def _is_installed(name: str) -> bool:
    try:
        return bool(metadata.version(name))
    except metadata.PackageNotFoundError:
        return False


def _some(names: list[str]) -> str:
    more = len(names) - _MOST
    return ', '.join(names[:_MOST]) + (f' and {more} more' if more > 0 else '')
