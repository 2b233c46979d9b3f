# SPDX-License-Identifier: Apache-2.0

"""How heat-engine comes to heat-extras: ``heat.stack_lifecycle_plugins``.

Heat loads this entry point before it forks and before its RPC server
starts. It swallows every ordinary exception of a plugin with a log line
(heat.common.pluginutils.log_fail_msg), but an operator who enabled a guard
must not run an engine without it. So this module imports nothing but the
standard library, and whatever goes wrong ends the process with one line.
"""

import logging
import sys


def _activate():
    try:
        from oslo_config import cfg

        from heat_extras import activation
        activation.activate(cfg.CONF, activation.ENGINE)
        return
    except BaseException as error:
        cause = error
    # Not in the except clause, where oslo.log repeats the error in the line.
    text = 'heat-extras: heat-engine is not started: '
    try:
        text += _describe(cause)
        _log(text)
    finally:
        raise SystemExit(text) from cause


def _describe(error):
    text = ' '.join(str(error).split()) or 'no further details'
    if type(error).__module__ == 'heat_extras.errors':
        return text
    # Not made for this line: say what it is and where it comes from.
    from heat_extras import missing_dependency
    if isinstance(error, ImportError):
        return missing_dependency.describe(error, missing_dependency.ENGINE)
    return missing_dependency.locate(error)


def _log(text):
    # The interpreter prints what SystemExit carries; that is enough where
    # the log goes to the same terminal or journal.
    handlers = logging.getLogger().handlers
    if handlers and not any(
            getattr(handler, 'stream', None) in (sys.stdout, sys.stderr)
            for handler in handlers):
        logging.getLogger(__name__).critical(text)


_activate()


class EnginePlugin:
    """A lifecycle plugin without operations: loading it is all it does."""

    def get_ordinal(self):
        return 0
