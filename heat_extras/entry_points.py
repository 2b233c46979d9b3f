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

from heat_extras import missing_dependency

# The exit status that shells use for a program that SIGINT ended.
_INTERRUPTED = 130
# The exit status of heat-extras-status if it cannot check. 1 would be a
# warning.
_NOT_CHECKED = 255


def manage():
    """Run ``heat-extras-manage``."""
    return _call('heat_extras.cmd.manage:main', missing_dependency.ENGINE,
                 'heat-extras-manage')


def status():
    """Run ``heat-extras-status``."""
    return _call('heat_extras.cmd.status:main', missing_dependency.ENGINE,
                 'heat-extras-status', _NOT_CHECKED)


def sandbox():
    """Run ``heat-extras-sandbox``."""
    return _call('heat_extras.cmd.sandbox:main', missing_dependency.SANDBOX,
                 'heat-extras-sandbox')


def list_opts():
    """List the options for oslo.config's tools."""
    return _call('heat_extras.conf:list_opts', missing_dependency.ENGINE)


def list_rules_of_actions():
    """List the rules of locks for oslo.policy's tools."""
    return _call('heat_extras.patches.policies_actions:list_rules',
                 missing_dependency.ENGINE)


def list_rules_of_guards():
    """List the rules of guards for oslo.policy's tools."""
    return _call('heat_extras.patches.policies_stacks:list_rules',
                 missing_dependency.ENGINE)


def _call(target, extra, prog=missing_dependency.DISTRIBUTION, status=1):
    module, _, name = target.partition(':')
    try:
        return getattr(importlib.import_module(module), name)()
    except KeyboardInterrupt:
        raise SystemExit(_INTERRUPTED) from None
    except ImportError as error:
        text = missing_dependency.describe(error, extra)
    print(f'{prog}: {text}', file=sys.stderr)
    # This is the only exception that ends oslo's tools without a traceback.
    raise SystemExit(status)
