# SPDX-License-Identifier: Apache-2.0

"""Configuration, database and help of the commands, without Heat."""

import contextlib
import logging

from oslo_config import cfg
from oslo_db import options as db_options
from oslo_db.sqlalchemy import enginefacade
from oslo_log import _options as log_options
from oslo_log import log

from heat_extras import errors
from heat_extras.sandbox import sqlite
from heat_extras import version

# As heat.common.config has them.
PASTE_OPTIONS = [
    cfg.StrOpt('flavor', help='The flavor to use.'),
    cfg.StrOpt('api_paste_config', default='api-paste.ini',
               help='The API paste config file to use.'),
]


class CommandError(errors.HeatExtrasError):
    """The command cannot continue; the message says why."""


def read(prog, arguments, add_parsers, is_logging=True):
    """Read the files that ``heat-manage`` reads, and the command line.

    :param prog: the name of the command.
    :param arguments: those of the command line.
    :param add_parsers: adds the subcommands to argparse's subparsers.
    :param is_logging: whether to write where Heat writes its log.
    :returns: the configuration; logging is set up.
    """
    conf = cfg.ConfigOpts()
    # As log.register_options does, but --debug is the only argument of them:
    # the others would fill the help.
    conf.register_cli_opts(log_options.common_cli_opts)
    for _group, options in log_options.list_opts():
        conf.register_opts(options)
    # oslo.log falls back to standard output, where the answers are.
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
        # It logs the kind of database at each check.
        logging.getLogger('alembic').setLevel(logging.WARNING)
    return conf


def share_with_heat(conf):
    """Read the same files into Heat's own configuration, as an engine does.

    That is ``oslo_config.cfg.CONF``, where plugins read their options.
    """
    cfg.CONF([], project='heat', prog='heat-engine',
             default_config_files=conf.config_file or [],
             default_config_dirs=conf.config_dir or [])


@contextlib.contextmanager
def shared_with_heat(conf):
    """Do so for a while.

    :returns: a context manager, with ``oslo_config.cfg.CONF``.
    """
    share_with_heat(conf)
    try:
        yield cfg.CONF
    finally:
        cfg.CONF.reset()


def connect(conf):
    """Make an engine for Heat's database.

    :raises CommandError: where no connection is configured.
    """
    if not conf.database.connection:
        raise CommandError(
            'Found no database connection: [database] connection is not set '
            "in %s. Name Heat's configuration with --config-file."
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
