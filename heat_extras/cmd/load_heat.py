# SPDX-License-Identifier: Apache-2.0

"""Heat itself, for the commands that can't do without it."""

import logging

from oslo_config import cfg

from heat_extras.cmd import cli_config
from heat_extras.config_validation import validation
from heat_extras.sandbox import interpreter
from heat_extras.sandbox import sqlite

# What an engine logs about itself when it starts, and about deprecated
# resource types.
_LEVELS = {'heat': logging.WARNING, 'heat.engine.environment': logging.ERROR,
           'heat_extras': logging.WARNING, 'oslo_service': logging.WARNING}


def load(conf):
    """Load Heat with the configuration that a command was given.

    :raises CommandError: where the feature ``stack_lock`` is off: what asks
        the services belongs to it.
    """
    for name, level in _LEVELS.items():
        if not conf.debug:
            logging.getLogger(name).setLevel(level)
    # As heat.cmd.engine does; Heat 24 has another way of running threads,
    # which is not needed here.
    if not interpreter.is_on_eventlet():
        from oslo_service import backend
        backend.init_backend(backend.BackendType.THREADING)
    from heat.common import config  # noqa: F401 registers Heat's options
    cli_config.share_with_heat(conf)
    from heat.db import api as db_api
    from heat.engine import resources
    # For a sandbox, whose engine writes at the same time.
    db_api.context_manager.append_on_engine_create(sqlite.prepare_engine)
    # This loads heat-extras, too, as in an engine.
    resources.initialise()
    if 'stack_lock' not in validation.read_features(cfg.CONF)[0]:
        raise cli_config.CommandError(
            '[heat_extras] features does not include stack_lock, which this '
            'command needs to query services. Give the configuration of an '
            'engine with --config-file.')
