# SPDX-License-Identifier: Apache-2.0

"""Entry points that need more packages than the client.

Each function imports the module that it runs when it is called. If a package
is missing, print one line with the extra of heat-extras that installs it.
Importing this module imports only the standard library.

The paste factories and the engine's plugin are in modules of their own,
because Heat imports them.
"""

import importlib
import sys
import traceback

DISTRIBUTION = 'heat-extras'

ENGINE = 'engine'
SANDBOX = 'sandbox'


def describe_import_error(error: ImportError, extra: str) -> str:
    """Explain why an import failed, and what to do.

    :param error: the exception.
    :param extra: the extra of heat-extras that installs the module.
    :returns: one line with the name of the missing module.
    """
    return (f'{locate_error(error)}. Install {DISTRIBUTION}[{extra}]. If it '
            'is already installed, run "pip check"')


def locate_error(error: BaseException) -> str:
    """Return type, text and place of an error, in one line."""
    text = ' '.join(str(error).split()) or 'no further details'
    frames = [frame for frame in traceback.extract_tb(error.__traceback__)
              if 'importlib' not in frame.filename]
    place = (f' ({frames[-1].filename}:{frames[-1].lineno})'
             if frames else '')
    return f'{type(error).__name__}: {text}{place}'


# The exit status that shells use for a program that SIGINT ended.
_INTERRUPTED = 130
# The exit status of heat-extras-status if it cannot check. 1 would be a
# warning.
_NOT_CHECKED = 255


def manage():
    """Run ``heat-extras-manage``."""
    return _call('heat_extras.cmd.manage:main', ENGINE,
                 'heat-extras-manage')


def status():
    """Run ``heat-extras-status``."""
    return _call('heat_extras.cmd.status:main', ENGINE,
                 'heat-extras-status', _NOT_CHECKED)


def sandbox():
    """Run ``heat-extras-sandbox``."""
    return _call('heat_extras.cmd.sandbox:main', SANDBOX,
                 'heat-extras-sandbox')


def list_opts():
    """List the options for oslo.config's tools."""
    return _call('heat_extras.conf:list_opts', ENGINE)


def list_rules_of_actions():
    """List the rules of locks for oslo.policy's tools."""
    return _call('heat_extras.patches.policies_actions:list_rules',
                 ENGINE)


def list_rules_of_guards():
    """List the rules of guards for oslo.policy's tools."""
    return _call('heat_extras.patches.policies_stacks:list_rules',
                 ENGINE)


def _call(target, extra, prog=DISTRIBUTION, status=1):
    module, _, name = target.partition(':')
    try:
        return getattr(importlib.import_module(module), name)()
    except KeyboardInterrupt:
        raise SystemExit(_INTERRUPTED) from None
    except ImportError as error:
        text = describe_import_error(error, extra)
    print(f'{prog}: {text}', file=sys.stderr)
    # This is the only exception that ends oslo's tools without a traceback.
    raise SystemExit(status)
