# SPDX-License-Identifier: Apache-2.0

"""``heat-extras-manage``: the operator's tool for what is in the database.

It reads heat.conf as heat-manage does, and imports nothing of Heat, but for
``list-locks --verify``, ``unlock``, ``rewrite-templates`` and the plugins that
``plugins`` loads.
"""

import functools
import sys

from oslo_config import cfg
from oslo_db import exception as db_exception
from oslo_log import log
import sqlalchemy.exc

from heat_extras.cli import examples
from heat_extras.cli import tables
from heat_extras.cmd import cli_config
from heat_extras.cmd import formatters
from heat_extras.cmd import metrics
from heat_extras.cmd import paste
from heat_extras.cmd import plugins
from heat_extras.cmd import refusals
from heat_extras.cmd import uninstall
from heat_extras.cmd import unlock
from heat_extras.cmd import verify
from heat_extras.db import gone
from heat_extras.db import locks
from heat_extras.db import migration
from heat_extras.db import presence
from heat_extras import errors
from heat_extras import features
from heat_extras import sanitize
from heat_extras.stack_lock import lock_record
from heat_extras.stack_lock import options as stack_lock_options
from heat_extras import timestamps

PROG = uninstall.PROG

PROTECTION_COLUMNS = ('project', 'stack_name', 'stack_id', 'rank', 'by',
                      'since', 'reason', 'tag')
_OF_PROTECTION = tables.Columns(('stack_name', 'stack_id', 'by'),
                                ('tag', 'reason', 'since', 'project', 'rank'))
LOCK_COLUMNS = ('project', 'stack_name', 'stack_id', 'level', 'state',
                'rank', 'by', 'since', 'reason', 'lock_id', 'expires_at')
_SHOWN = tables.Columns(('stack_name', 'stack_id', 'state'),
                        ('by', 'expires_at', 'reason', 'since', 'level',
                         'project', 'rank', 'lock_id'))

# What the commands end in that is no fault of the program. ImportError: the
# driver that the connection names is not installed.
EXPECTED = (errors.HeatExtrasError, cfg.Error, db_exception.DBError,
            db_exception.CantStartEngineError, sqlalchemy.exc.SQLAlchemyError,
            log.LogConfigError, ImportError, OSError)


def db_sync(conf, engine):
    """Add the columns and tables of heat-extras to Heat's database."""
    migration.upgrade(engine, allow_copy=conf.command.allow_copy)
    print(f'The database is at revision {migration.current(engine)} of '
          'heat-extras.')


def db_version(conf, engine):
    """Print the revision that the database is at, or "none"."""
    print(migration.current(engine) or 'none')


def list_locks(conf, engine):
    """List the locked stacks, or what their locks protect."""
    _require_tables(engine)
    rows = locks.list_locks(
        engine, nested=conf.command.all, project=conf.command.project)
    if conf.command.verify:
        verify.verify(conf, [row for row in rows if row.owner_id is None])
        return
    formatters.print_rows(LOCK_COLUMNS, [_lock_row(row) for row in rows],
                          conf.command, _SHOWN)


def list_protected(conf, engine):
    """List the root stacks that are protected from deletion.

    Also those that the tag protects which [heat_extras] delete_protection_tag
    names, in the files of the configuration that this command reads.
    """
    _require_tables(engine)
    conf.register_opts(stack_lock_options.OPTIONS, group='heat_extras')
    tag, project = (conf.heat_extras.delete_protection_tag,
                    conf.command.project)
    rows = {row.id: _protection_row(row, None)
            for row in locks.list_protected(engine, project=project)}
    for row in locks.list_tagged(engine, tag, project) if tag else ():
        rows[row.id] = _protection_row(row, tag)
    formatters.print_rows(PROTECTION_COLUMNS, list(rows.values()),
                          conf.command, _OF_PROTECTION)


def reset_lock(conf, engine):
    """Turn a lock that is stuck IN_PROGRESS into a failed one.

    Engines do this themselves for the locks of an engine that died. The
    stacks stay locked; lift the lock, lock again, or delete the stack then.
    """
    _require_tables(engine)
    changed = locks.reset(engine, conf.command.stack_id)
    if not changed:
        raise cli_config.CommandError(
            'Found no lock of stack %s that is IN_PROGRESS, nothing was '
            'changed. list-locks shows the states.' % conf.command.stack_id)
    print(f'{sanitize.count(changed, "stack")} reset.')


def purge(conf, engine):
    """Delete what heat-extras noted about stacks that are gone."""
    _require_tables(engine)
    deleted = gone.purge(engine, features.known())
    print(f'{sanitize.count(deleted, "row")} deleted.')


def _lock_row(row):
    state = '%s_%s' % (row.lock_action, row.lock_status)
    lock_id = lock_record.Lock.from_row(row).id
    return (row.tenant, row.name, row.id, row.lock_level,
            state if row.lock_action else None,
            row.lock_rank, row.locked_by, timestamps.to_iso(row.locked_at),
            row.lock_reason, lock_id,
            # Without an id, the entry is of a lock before.
            timestamps.to_iso(row.expires_at) if lock_id else None)


def _protection_row(row, tag):
    return (
        row.tenant, row.name, row.id, row.delete_protection_rank,
        row.delete_protected_by, timestamps.to_iso(row.delete_protected_at),
        row.delete_protection_reason, tag)


def _require_tables(engine):
    missing = presence.missing(engine)
    if missing:
        raise cli_config.CommandError(
            'Found no %s in the database. Run %s db_sync first.'
            % (', '.join(missing), PROG))


def _add_command_parsers(subparsers):
    _add_allow_copy(_add_parser(subparsers, db_sync))
    _add_parser(subparsers, db_version)
    parser = _add_parser(subparsers, uninstall.db_downgrade)
    _add_allow_copy(parser)
    uninstall.add_arguments(parser)
    parser.add_argument('--unlock-all', action='store_true',
                        help='Lift every lock first. What a service was told '
                             'to protect stays protected there.')
    parser.add_argument('--unprotect-all', action='store_true',
                        help='Lift every protection from deletion first.')
    uninstall.add_arguments(_add_parser(
        subparsers, uninstall.rewrite_templates, 'rewrite-templates'))
    parser = _add_parser(subparsers, list_locks, 'list-locks')
    parser.add_argument('--all', action='store_true',
                        help='List nested stacks too.')
    parser.add_argument('--verify', action='store_true',
                        help='List instead each resource that a lock of '
                             'level all protects, and what its service says '
                             'of it. It is asked with the credentials that '
                             'Heat keeps for the stack. Exits with 1 when '
                             'something is not protected as noted.')
    _add_list_arguments(parser)
    _add_list_arguments(_add_parser(subparsers, list_protected,
                                    'list-protected'))
    _add_list_arguments(_add_parser(subparsers, _with_tables(
        refusals.list_refusals), 'list-refusals'))
    _add_parser(subparsers, _with_tables(metrics.metrics))
    parser = _add_parser(subparsers, reset_lock, 'reset-lock')
    parser.add_argument('stack_id', metavar='STACK_ID',
                        help='Id of the root stack.')
    unlock.add_arguments(_add_parser(subparsers, unlock.unlock))
    _add_parser(subparsers, purge)
    parser = _add_parser(subparsers, paste.paste)
    parser.set_defaults(connect=lambda conf: None)
    paste.add_arguments(parser)
    parser = _add_parser(subparsers, plugins.plugins)
    parser.set_defaults(connect=lambda conf: None)
    formatters.add_arguments(parser)


def _add_list_arguments(parser):
    chosen = parser.add_mutually_exclusive_group()
    chosen.add_argument('--all-projects', action='store_true',
                        help='List the stacks of all projects (default).')
    chosen.add_argument('--project', metavar='ID',
                        help='List the stacks of this project only.')
    formatters.add_arguments(parser)


def _with_tables(command):
    @functools.wraps(command)
    def run(conf, engine):
        _require_tables(engine)
        command(conf, engine)
    return run


def _add_allow_copy(parser):
    parser.add_argument(
        '--allow-copy', action='store_true',
        help="Go on where MySQL or MariaDB cannot change a table of Heat's "
             "in an instant: it copies the table, and Heat's writes wait "
             'meanwhile.')


def _add_parser(subparsers, command, name=None):
    name = name or command.__name__
    summary = command.__doc__.splitlines()[0]
    parser = subparsers.add_parser(name, help=summary,
                                   description=command.__doc__)
    examples.add(parser, f'{PROG} {name}')
    parser.set_defaults(run=command, connect=cli_config.connect)
    return parser


def main(arguments=None):
    """Run one command.

    :param arguments: those of the command line, ``sys.argv`` by default.
    :returns: None; failures leave with exit status 1 and one line.
    """
    try:
        conf = cli_config.read(
            PROG, sys.argv[1:] if arguments is None else arguments,
            _add_command_parsers)
        conf.command.run(conf, conf.command.connect(conf))
    except EXPECTED as error:
        sys.exit('%s: %s' % (PROG, formatters.line(error)))
