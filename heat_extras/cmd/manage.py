# SPDX-License-Identifier: Apache-2.0

"""``heat-extras-manage``: the tool of operators for the database.

It reads the same files as heat-manage. It imports Heat only for ``audit``,
``list-locks --verify``, ``unlock``, ``rewrite-templates``, and the plugins
that ``plugins`` loads.
"""

import functools
import os
import sys

from oslo_config import cfg
from oslo_db import exception as db_exception
from oslo_log import log
import sqlalchemy.exc

from heat_extras.cmd import cli_config
from heat_extras.cmd import lists
from heat_extras.cmd import metrics
from heat_extras.cmd import paste
from heat_extras.cmd import uninstall
from heat_extras.cmd import unlock
from heat_extras.db import migration
from heat_extras.db import purge as deleted_stacks
from heat_extras.db import schema_check
from heat_extras import features
from heat_extras import operator_errors
from heat_extras.output import help_text
from heat_extras.output import lister
from heat_extras import sanitize

PROG = uninstall.PROG

# Errors that are not errors of the program. An ImportError means that the
# database driver of the connection is not installed.
EXPECTED = (operator_errors.HeatExtrasError, cfg.Error, db_exception.DBError,
            db_exception.CantStartEngineError, sqlalchemy.exc.SQLAlchemyError,
            log.LogConfigError, ImportError, OSError)


def db_sync(conf, engine):
    """Add the columns and tables of heat-extras to Heat's database.

    Examples:

      Add them after Heat's own heat-manage db_sync:
        heat-extras-manage db_sync
    """
    migration.upgrade(engine, allow_copy=conf.command.allow_copy)
    print(f'The database is at revision {migration.read_revision(engine)} of '
          'heat-extras.')


def db_version(conf, engine):
    """Print the revision of heat-extras, or "none".

    Examples:

      Print the revision:
        heat-extras-manage db_version
    """
    print(migration.read_revision(engine) or 'none')


def purge(conf, engine):
    """Delete the rows of heat-extras about deleted stacks.

    Examples:

      Delete them once a week, after heat-manage purge_deleted:
        heat-extras-manage purge
    """
    deleted = deleted_stacks.purge_tables(engine, features.all_features())
    print(f'{sanitize.with_plural(deleted, "row")} deleted.')


def _add_command_parsers(subparsers):
    subparsers.metavar = 'COMMAND'
    _add_allow_copy(_add_parser(subparsers, db_sync))
    _add_parser(subparsers, db_version)
    parser = _add_parser(subparsers, uninstall.db_downgrade, has_rows=True)
    _add_allow_copy(parser)
    uninstall.add_downgrade_arguments(parser)
    uninstall.add_rewrite_arguments(_add_parser(
        subparsers, uninstall.rewrite_templates, 'rewrite-templates'))
    parser = _add_list_parser(subparsers, lists.list_locks, 'list-locks')
    parser.add_argument('--all', action='store_true',
                        help='Also list nested stacks.')
    parser.add_argument('--verify', action='store_true',
                        help='List the resources of locks of level "all", '
                             'with their recorded state and their state in '
                             'the services. Services are queried with the '
                             'credentials that Heat stores for the stack. '
                             'Exits with 1 if these states differ.')
    _add_list_parser(subparsers, lists.list_protected, 'list-protected')
    _add_list_parser(subparsers, lists.list_refusals, 'list-refusals')
    parser = _add_list_parser(subparsers, lists.audit, 'audit')
    parser.add_argument('--rules', metavar='FILE',
                        help='Check the rules of this file, and not of '
                             'limits_file.')
    _add_parser(subparsers, _with_tables(metrics.metrics))
    unlock.add_stack_argument(_add_parser(
        subparsers, _with_tables(unlock.reset_lock), 'reset-lock'))
    unlock.add_arguments(_add_parser(subparsers, unlock.unlock, has_rows=True))
    unlock.add_stack_argument(_add_parser(
        subparsers, _with_tables(unlock.unprotect)))
    _add_parser(subparsers, _with_tables(purge))
    parser = _add_parser(subparsers, paste.paste)
    parser.set_defaults(connect=lambda conf: None)
    paste.add_arguments(parser)
    parser = _add_parser(subparsers, lists.plugins, has_rows=True)
    parser.set_defaults(connect=lambda conf: None)


def _add_list_parser(subparsers, command, name):
    parser = _add_parser(subparsers, _with_tables(command), name,
                         has_rows=True)
    chosen = parser.add_mutually_exclusive_group()
    chosen.add_argument('--all-projects', action='store_true',
                        help='List the stacks of all projects (default).')
    chosen.add_argument('--project', metavar='ID',
                        help='List only the stacks of this project.')
    return parser


def _with_tables(command):
    @functools.wraps(command)
    def run(conf, engine):
        missing = schema_check.list_missing(engine)
        if missing:
            raise cli_config.CommandError(
                'Columns or tables of heat-extras are missing in the '
                'database: %s. Run %s db_sync first.'
                % (sanitize.join_some(missing, ', ', most=uninstall.NAMED),
                   PROG))
        command(conf, engine)
    return run


def _add_allow_copy(parser):
    parser.add_argument(
        '--allow-copy', action='store_true',
        help='Continue if MySQL or MariaDB cannot change a table of Heat in '
             'place. The server then copies the table, and Heat cannot write '
             'to the table until the copy is complete. Without this option, '
             'the command stops, and the table stays as it is.')


def _add_parser(subparsers, command, name=None, has_rows=False):
    name = name or command.__name__
    parser = subparsers.add_parser(name, help=command.__doc__.splitlines()[0])
    if has_rows:
        parser = subparsers.choices[name] = lister.create_parser(
            f'{PROG} {name}')
    help_text.use_docstring(parser, command.__doc__)
    parser.set_defaults(run=command, connect=cli_config.connect)
    return parser


def main(arguments=None):
    """Run one command.

    :param arguments: the arguments of the command line, by default those in
        ``sys.argv``.
    :raises SystemExit: with exit status 1 and one line, if the command fails.
    """
    try:
        conf = cli_config.parse_command_line(
            PROG, sys.argv[1:] if arguments is None else arguments,
            _add_command_parsers)
        conf.command.run(conf, conf.command.connect(conf))
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of the output, for example "head", has ended. The exit
        # status is as after SIGPIPE.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
    except EXPECTED as error:
        sys.exit(cli_config.error_text(PROG, error))
