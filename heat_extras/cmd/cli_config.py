# SPDX-License-Identifier: Apache-2.0

"""Configuration, database and help of the commands, without Heat."""

import argparse
import contextlib
import logging
import sys

from oslo_config import cfg
from oslo_db import options as db_options
from oslo_db.sqlalchemy import enginefacade
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

_EPILOG = ('"COMMAND --help" tells more of a command. The options of logging '
           'that heat-manage has, like --log-file, are taken, too.')

# Options of oslo.config's that need no command.
_OTHERS = {'--version', '--shell_completion'}


class CommandError(errors.HeatExtrasError):
    """A command that refuses to go on."""


def read(prog, arguments, add_parsers, is_logging=True):
    """Read the files that ``heat-manage`` reads, and the command line.

    :param prog: the name of the command.
    :param arguments: those of the command line.
    :param add_parsers: adds the subcommands to argparse's subparsers.
    :param is_logging: whether to write where Heat writes its log.
    :returns: the configuration; logging is set up.
    """
    show_help_if_asked(prog, arguments, add_parsers)
    conf = cfg.ConfigOpts()
    log.register_options(conf)
    # oslo.log falls back to standard output, where the answers are.
    conf.set_default('use_stderr', True)
    conf.register_opts(db_options.database_opts, group='database')
    conf.register_opts(PASTE_OPTIONS, group='paste_deploy')
    conf.register_cli_opt(cfg.SubCommandOpt(
        'command', title='Commands', help='Show available commands.',
        handler=add_parsers))
    # The files that heat.cmd.manage.main reads, and the directories of an
    # engine.
    conf(arguments, project='heat', prog=prog,
         version=version.installed(),
         default_config_files=cfg.find_config_files('heat', 'heat-engine'),
         default_config_dirs=cfg.find_config_dirs('heat', 'heat-engine'))
    if is_logging:
        log.setup(conf, 'heat-extras')
    if not (is_logging and conf.debug):
        # It tells, with every look, which kind of database it has found.
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


def show_help_if_asked(prog, arguments, add_parsers):
    """Print the help of a command and exit, where it is asked for.

    Without a command, print the short usage, and exit with 2.

    :param prog: the name of the command.
    :param arguments: those of the command line.
    :param add_parsers: adds the subcommands to argparse's subparsers.
    """
    parser, commands = _parser(prog, add_parsers)
    if not commands.isdisjoint(arguments) or not _OTHERS.isdisjoint(
            arguments):
        return
    if not {'-h', '--help'}.isdisjoint(arguments):
        parser.print_help()
        sys.exit(0)
    parser.error('found none of its commands, wanted one of: '
                 + ', '.join(sorted(commands)))


def _parser(prog, add_parsers):
    parser = argparse.ArgumentParser(
        prog=prog, epilog=_EPILOG,
        usage='%(prog)s [--config-file PATH] [--config-dir DIR] COMMAND ...')
    parser.add_argument('--config-file', metavar='PATH',
                        help="Heat's configuration; may be given several "
                             'times (default: where heat-manage finds it).')
    parser.add_argument('--config-dir', metavar='DIR',
                        help='A directory with more of it.')
    parser.add_argument('-d', '--debug', action='store_true',
                        help='Log more, to standard error.')
    parser.add_argument('--version', action='store_true',
                        help='Show the version and exit.')
    commands = parser.add_subparsers(title='commands', metavar='COMMAND')
    add_parsers(commands)
    return parser, set(commands.choices)
