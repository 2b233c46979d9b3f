# SPDX-License-Identifier: Apache-2.0

"""The configuration and the database of the commands.

Only :func:`load_heat` imports Heat.
"""

import contextlib
import logging
import sys

from oslo_config import cfg
from oslo_db import options as db_options
from oslo_db.sqlalchemy import enginefacade
from oslo_log import _options as log_options
from oslo_log import log

from heat_extras import config_validation
from heat_extras import operator_errors
from heat_extras.sandbox import interpreter
from heat_extras.sandbox import sqlite
from heat_extras import sanitize
from heat_extras import version

# The same options as in heat.common.config.
PASTE_OPTIONS = [
    cfg.StrOpt('flavor', help='The flavor to use.'),
    cfg.StrOpt('api_paste_config', default='api-paste.ini',
               help='The API paste config file to use.'),
]


# The log levels that leave out the messages of an engine's start, and about
# deprecated resource types.
_LEVELS = {'heat': logging.WARNING, 'heat.engine.environment': logging.ERROR,
           'heat_extras': logging.WARNING, 'oslo_service': logging.WARNING}


class CommandError(operator_errors.HeatExtrasError):
    """The command cannot continue, for the reason in the message."""


def parse_command_line(prog, arguments, add_parsers, is_logging=True):
    """Parse the command line and the files of ``heat-manage``.

    :param prog: the name of the command.
    :param arguments: the arguments of the command line.
    :param add_parsers: a function that adds the subcommands to argparse's
        subparsers.
    :param is_logging: whether to write the log to the same place as Heat.
    :returns: the configuration.
    """
    conf = cfg.ConfigOpts()
    # Like log.register_options, but with --debug as the only argument. The
    # other arguments would make the help long.
    conf.register_cli_opts(log_options.common_cli_opts)
    for _group, options in log_options.list_opts():
        conf.register_opts(options)
    # Without this, oslo.log would write to standard output, like the results.
    conf.set_default('use_stderr', True)
    conf.register_opts(db_options.database_opts, group='database')
    conf.register_opts(PASTE_OPTIONS, group='paste_deploy')
    conf.register_cli_opt(cfg.SubCommandOpt(
        'command', title='Commands', handler=add_parsers))
    # The files that heat.cmd.manage.main reads, and the directories of an
    # engine.
    conf(arguments, project='heat', prog=prog,
         version=version.installed(),
         default_config_files=cfg.find_config_files('heat', 'heat-engine'),
         default_config_dirs=cfg.find_config_dirs('heat', 'heat-engine'))
    if is_logging:
        log.setup(conf, 'heat-extras')
    if not (is_logging and conf.debug):
        # alembic logs the kind of database at each check.
        logging.getLogger('alembic').setLevel(logging.WARNING)
    return conf


def has_files(conf):
    """Return whether a configuration was given or found."""
    return bool(conf.config_file or conf.config_dir)


def load_heat_config(conf):
    """Read the same files into Heat's own configuration, like an engine.

    Heat's own configuration is ``oslo_config.cfg.CONF``, where plugins read
    their options.
    """
    cfg.CONF([], project='heat', prog='heat-engine',
             default_config_files=conf.config_file or [],
             default_config_dirs=conf.config_dir or [])


@contextlib.contextmanager
def heat_config(conf):
    """Load Heat's own configuration, and reset it at the end.

    :returns: a context manager with ``oslo_config.cfg.CONF``.
    """
    load_heat_config(conf)
    try:
        yield cfg.CONF
    finally:
        cfg.CONF.reset()


def connect(conf):
    """Create an engine of SQLAlchemy for Heat's database.

    :raises CommandError: if no connection is configured.
    """
    if not conf.database.connection:
        raise CommandError(
            '[database] connection is not set in %s. Give the configuration '
            'of Heat with --config-file.'
            % (', '.join(conf.config_file or []) or 'any file'))
    context = enginefacade.transaction_context()
    context.configure(
        connection=conf.database.connection,
        connection_parameters=conf.database.connection_parameters,
        mysql_sql_mode=conf.database.mysql_sql_mode,
        max_retries=conf.database.max_retries,
        retry_interval=conf.database.retry_interval)
    engine = context.writer.get_engine()
    sqlite.begin_with_write_lock(engine)
    return engine


def load_heat(conf):
    """Load Heat with the configuration of a command."""
    for name, level in _LEVELS.items():
        if not conf.debug:
            logging.getLogger(name).setLevel(level)
    # Like heat.cmd.engine. Heat 24 runs threads in another way, which is not
    # needed here.
    if not interpreter.is_on_eventlet():
        from oslo_service import backend
        backend.init_backend(backend.BackendType.THREADING)
    from heat.common import config  # noqa: F401 registers Heat's options
    load_heat_config(conf)
    from heat.db import api as db_api
    from heat.engine import resources
    # In case the database is of a sandbox, whose engine also writes to it.
    db_api.context_manager.append_on_engine_create(sqlite.prepare_engine)
    # As in an engine, this also loads heat-extras.
    try:
        resources.initialise()
    except SystemExit as error:
        # The text is of an engine (heat_extras.engine_entry_point).
        cause = error.__cause__
        raise (cause if isinstance(cause, operator_errors.ActivationError)
               else error) from None


def load_lock_handlers(conf, alternative=''):
    """Load Heat with the code that calls services for locked resources.

    :param alternative: what an operator can do without ``stack_lock``.
    :raises CommandError: if the feature ``stack_lock`` is off.
    """
    load_heat(conf)
    if 'stack_lock' not in config_validation.read_features(cfg.CONF)[0]:
        raise CommandError(
            '[heat_extras] features does not include "stack_lock", which this '
            'command needs to call the services of locked resources. Add '
            '"stack_lock" again, or give a configuration file with '
            f'"stack_lock" to this command with --config-file.{alternative}')


def error_text(prog, error):
    """Return the text of an error, with one line for each problem.

    :param error: an error that can have several problems as its arguments,
        or the first line of whose text is enough.
    """
    texts = str(error).splitlines()[:1] or [type(error).__name__]
    if (isinstance(error, operator_errors.HeatExtrasError)
            and len(error.args) > 1):
        texts = list(map(str, error.args))
    encoding = sanitize.encoding_of(sys.stderr)
    return '\n'.join(f'{prog}: {sanitize.printable(text, encoding)}'
                     for text in texts)
