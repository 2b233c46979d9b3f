# SPDX-License-Identifier: Apache-2.0

"""The ways in that need more than the client does.

Entry points name the functions here, which import what they stand for when
they are called. Where that is not installed, one line says which extra of
heat-extras brings it. Importing this imports the standard library only.

The paste factories and the engine's plugin stand in modules of their own: who
loads them is a Heat, and is not started.
"""

import importlib
import sys

from heat_extras import missing_dependency

# As shells have it for a program that SIGINT ended.
_INTERRUPTED = 130
# What heat-extras-status exits with when it could not check; 1 would be a
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
    return _call('heat_extras.stack_lock.patches.policies_actions:list_rules',
                 missing_dependency.ENGINE)


def list_rules_of_guards():
    """List the rules of guards for oslo.policy's tools."""
    return _call('heat_extras.guards.patches.policies_stacks:list_rules',
                 missing_dependency.ENGINE)


def _call(where, extra, prog=missing_dependency.DISTRIBUTION, status=1):
    module, _, name = where.partition(':')
    try:
        return getattr(importlib.import_module(module), name)()
    except KeyboardInterrupt:
        raise SystemExit(_INTERRUPTED) from None
    except ImportError as error:
        text = missing_dependency.describe(error, extra)
    print(f'{prog}: {text}', file=sys.stderr)
    # Of all exceptions the one that oslo's tools let end them in silence.
    raise SystemExit(status)
