# SPDX-License-Identifier: Apache-2.0

"""Explain in one sentence why a module cannot be imported.

``pip install heat-extras`` installs only the packages that the client needs,
without Heat. Pure: imports only the standard library.
"""

import traceback

DISTRIBUTION = 'heat-extras'

ENGINE = 'engine'
SANDBOX = 'sandbox'


def describe(error: ImportError, extra: str) -> str:
    """Explain why an import failed, and what to do.

    :param error: the exception.
    :param extra: the extra of heat-extras that installs the module.
    :returns: one line with the name of the missing module.
    """
    return (f'{locate(error)}. Install {DISTRIBUTION}[{extra}]. If it is '
            'already installed, run "pip check"')


def locate(error: BaseException) -> str:
    """Return type, text and place of an error, in one line."""
    text = ' '.join(str(error).split()) or 'no further details'
    frames = [frame for frame in traceback.extract_tb(error.__traceback__)
              if 'importlib' not in frame.filename]
    place = (f' ({frames[-1].filename}:{frames[-1].lineno})'
             if frames else '')
    return f'{type(error).__name__}: {text}{place}'
