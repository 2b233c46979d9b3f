# SPDX-License-Identifier: Apache-2.0

"""Load Heat, for the commands that need it."""

import logging

from oslo_config import cfg

from heat_extras.cmd import cli_config
from heat_extras.config_validation import validation
from heat_extras import errors
from heat_extras.sandbox import interpreter
from heat_extras.sandbox import sqlite

# The log levels that leave out the messages of an engine's start, and about
# deprecated resource types.
_LEVELS = {'heat': logging.WARNING, 'heat.engine.environment': logging.ERROR,
           'heat_extras': logging.WARNING, 'oslo_service': logging.WARNING}


def load(conf, alternative=''):
    """Load Heat with the configuration of a command.

    :param alternative: what an operator can do without ``stack_lock``.
    :raises CommandError: if the feature ``stack_lock``, which queries the
        services, is off.
    """
    for name, level in _LEVELS.items():
        if not conf.debug:
            logging.getLogger(name).setLevel(level)
    # Like heat.cmd.engine. Heat 24 runs threads in another way, which is not
    # needed here.
    if not interpreter.is_on_eventlet():
        from oslo_service import backend
        backend.init_backend(backend.BackendType.THREADING)
    from heat.common import config  # noqa: F401 registers Heat's options
    cli_config.load_heat_config(conf)
    from heat.db import api as db_api
    from heat.engine import resources
    # In case the database is of a sandbox, whose engine also writes to it.
    db_api.context_manager.append_on_engine_create(sqlite.prepare_engine)
    # As in an engine, this also loads heat-extras.
    try:
        resources.initialise()
    except SystemExit as error:
        # The text is of an engine (heat_extras.engine_entry_point).
        raise (error.__cause__ if isinstance(
            error.__cause__, errors.ActivationError) else error) from None
    if 'stack_lock' not in validation.read_features(cfg.CONF)[0]:
        raise cli_config.CommandError(
            '[heat_extras] features does not include "stack_lock", which this '
            'command needs to call the services of locked resources. Add '
            '"stack_lock" again, or give a configuration file with '
            f'"stack_lock" to this command with --config-file.{alternative}')
