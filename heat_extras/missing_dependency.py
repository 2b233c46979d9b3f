# SPDX-License-Identifier: Apache-2.0

"""Why something of heat-extras cannot be imported, in one sentence.

``pip install heat-extras`` installs what the client needs, and nothing of
Heat. Pure: nothing of Heat is imported, and only the standard library.
"""

import traceback

DISTRIBUTION = 'heat-extras'

ENGINE = 'engine'
SANDBOX = 'sandbox'


def describe(error: ImportError, extra: str) -> str:
    """Say why an import failed, and what to do.

    :param error: what was raised.
    :param extra: the one that installs what is imported.
    :returns: one line, which names the module that is missing.
    """
    return (f'{locate(error)}; install {DISTRIBUTION}[{extra}], or run '
            '"pip check" if it is installed')


def locate(error: BaseException) -> str:
    """Say what an error is and where it comes from, in one line."""
    text = ' '.join(str(error).split()) or 'no further details'
    frames = [frame for frame in traceback.extract_tb(error.__traceback__)
              if 'importlib' not in frame.filename]
    place = (f' ({frames[-1].filename}:{frames[-1].lineno})'
             if frames else '')
    return f'{type(error).__name__}: {text}{place}'
