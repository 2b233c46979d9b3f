# SPDX-License-Identifier: Apache-2.0

"""Entry point of heat-engine: ``heat.stack_lifecycle_plugins``.

Heat loads this entry point before it forks and before its RPC server starts.
Heat only logs the ordinary exceptions of a plugin
(heat.common.pluginutils.log_fail_msg), but an engine must not run without a
guard that is enabled. So this module imports only the standard library, and
any error ends the process with one line.
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
    # After the except clause: inside, oslo.log repeats the error in the line.
    text = 'heat-extras: heat-engine is not started: '
    try:
        text += _describe(cause)
        _log(text)
    finally:
        raise SystemExit(text) from cause


def _describe(error):
    text = ' '.join(str(error).split()) or 'no further details'
    if type(error).__module__ == 'heat_extras.operator_errors':
        return text
    # Other errors need their type and the place where they were raised.
    from heat_extras import entry_points
    if isinstance(error, ImportError):
        return entry_points.describe_import_error(error, entry_points.ENGINE)
    return entry_points.locate_error(error)


def _log(text):
    # The interpreter prints the text of SystemExit. Do not repeat it if the
    # log goes to the same terminal or journal.
    handlers = logging.getLogger().handlers
    if handlers and not any(
            getattr(handler, 'stream', None) in (sys.stdout, sys.stderr)
            for handler in handlers):
        logging.getLogger(__name__).critical(text)


_activate()


class EnginePlugin:
    """A lifecycle plugin without operations. Loading it activates features."""

    def get_ordinal(self):
        return 0
