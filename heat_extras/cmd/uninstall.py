# SPDX-License-Identifier: Apache-2.0

"""Commands that remove data permanently, after a check of its use."""

import datetime

from heat_extras.cmd import cli_config
from heat_extras.db import live_engines
from heat_extras.db import lock_admin
from heat_extras.db import migration
from heat_extras.db import schema_check
from heat_extras.db import template_rewrite
from heat_extras import sanitize

PROG = 'heat-extras-manage'

# The maximum number of stacks, templates or engines that a command names.
NAMED = 10


def db_downgrade(conf, engine):
    """Remove the columns and tables of heat-extras from Heat's database.

    This includes the results of an interrupted db_sync. The command is
    rejected while an engine runs with a feature of heat-extras, because this
    engine reads the columns whenever it loads a stack.

    Examples:

      List what would be removed, and what prevents it:
        heat-extras-manage db_downgrade --dry-run

      Remove it, including the locks of all stacks:
        heat-extras-manage db_downgrade --unlock-all
    """
    existing = schema_check.list_existing(engine)
    if not existing:
        print('The database has no columns or tables of heat-extras.')
    else:
        locked, protected = (lock_admin.list_locked_names(engine),
                             lock_admin.list_protected_names(engine))
        _check_engines(conf, engine)
        _check_templates(conf.command, engine)
        # All checks first, so that a rejected command makes no change.
        _check_unused(conf.command, conf.command.unlock_all, locked,
                      'locked stack',
                      'Unlock these stacks, or use --unlock-all.')
        _check_unused(conf.command, conf.command.unprotect_all, protected,
                      'protected stack', 'Unprotect these stacks, or use '
                                         '--unprotect-all. Users could then '
                                         'delete these stacks.')
        _remove(conf.command, conf.command.unlock_all, locked,
                lambda: lock_admin.unlock_all(engine), 'unlocked')
        _remove(conf.command, conf.command.unprotect_all, protected,
                lambda: lock_admin.unprotect_all(engine), 'unprotected')
    named = ', '.join(existing)
    if conf.command.dry_run:
        print(f'Would remove: {named or "no column or table"}.')
        return
    migration.downgrade(engine, allow_copy=conf.command.allow_copy)
    if existing:
        print(f'Removed: {named}.')


def rewrite_templates(conf, engine):
    """Remove the attributes of heat-extras from stored templates.

    Heat without heat-extras cannot load a stack whose template has
    "updatable". Parameters that are not updatable become immutable, which
    Heat supports, and "allow" of an update_policy is removed. The command is
    needed before heat-extras is uninstalled. It is rejected while an engine
    runs with a feature of heat-extras.

    Examples:

      List the stored templates with attributes of heat-extras:
        heat-extras-manage rewrite-templates --dry-run

      Remove the attributes before heat-extras is uninstalled:
        heat-extras-manage rewrite-templates
    """
    _check_engines(conf, engine)
    if conf.command.dry_run:
        changes = template_rewrite.list_changes(engine)
        print(f'{_count_templates(changes)} would be rewritten'
              f'{_list_changes(changes)}.')
        return
    changes = template_rewrite.rewrite_all(engine)
    print(f'{_count_templates(changes)} rewritten{_list_changes(changes)}.')


def add_arguments(parser):
    """Add the options that both commands have."""
    parser.add_argument('--dry-run', action='store_true',
                        help='Show the changes without making them.')
    parser.add_argument('--force', action='store_true',
                        help='Continue even if engines run with a feature of '
                             'heat-extras. Without the columns, these engines '
                             'cannot load any stack until they are restarted '
                             'without features.')


def _check_engines(conf, engine):
    rows = ([] if live_engines.TABLE in schema_check.list_missing(engine)
            else live_engines.list_with_heat_extras(engine))
    if not rows or conf.command.force:
        return
    _refuse(conf.command, (
        'Found %s with features of heat-extras: %s. Make [heat_extras] '
        'features empty and restart %s, or stop %s. An engine that was killed '
        'counts as running for two report intervals: wait %d s. With --force, '
        'the command continues immediately.' % (
            sanitize.with_plural(len(rows), 'running engine'),
            sanitize.join_some([_name_engine(row) for row in rows],
                               most=NAMED),
            *(('it', 'it') if len(rows) == 1 else ('them', 'them')),
            max(_seconds_left(row) for row in rows))))


def _refuse(command, text):
    # A dry run continues, and prints everything that prevents the command.
    if not command.dry_run:
        raise cli_config.CommandError(text)
    print(f'Without --dry-run, the command would stop here: {text}')


def _name_engine(row):
    age = row.now - live_engines.last_seen(row)
    return sanitize.printable('%s (%s), features %s, last seen %d s ago' % (
        row.host, row.engine_id, ' '.join(row.features) or 'none',
        max(age.total_seconds(), 0)))


def _seconds_left(row):
    end = (live_engines.last_seen(row)
           + datetime.timedelta(seconds=2 * row.report_interval))
    return (end - row.now).total_seconds() + 1


def _check_templates(command, engine):
    changes = template_rewrite.list_changes(engine)
    if changes:
        _refuse(command, (
            'Found %s with "updatable" or "allow", which Heat without '
            'heat-extras cannot load%s. Run %s rewrite-templates first.' % (
                _count_templates(changes), _list_changes(changes), PROG)))


def _check_unused(command, is_removed, rows, kind, hint):
    """Reject the command while stacks are locked or protected.

    :param is_removed: whether the command removes their locks or protections.
    :param rows: the rows of the stacks.
    :param kind: the noun for such a stack, in the singular.
    :param hint: what to do if the command is rejected.
    """
    if rows and not is_removed:
        _refuse(command, 'Found %s: %s. %s' % (
            sanitize.with_plural(len(rows), kind), _name_stacks(rows), hint))


def _remove(command, is_requested, rows, remove, removed):
    """Remove the locks or protections of stacks, if this is requested.

    :param rows: the rows of the stacks.
    :param removed: the participle for a stack afterwards.
    """
    if not is_requested:
        return
    count = sanitize.with_plural(len(rows), 'stack')
    names = f': {_name_stacks(rows)}' if rows else ''
    if command.dry_run:
        print(f'{count} would be {removed}{names}.')
        return
    remove()
    print(f'{count} {removed}{names}.')


def _name_stacks(rows):
    # A line break in a name would end the line of the error.
    return sanitize.join_some(
        [sanitize.printable('%s (%s)' % (row.name, row.id)) for row in rows],
        ', ', most=NAMED)


def _count_templates(changes):
    return sanitize.with_plural(len(changes), 'stored template')


def _list_changes(changes):
    if not changes:
        return ''
    return ': ' + sanitize.join_some(
        [sanitize.printable(f'{change.kind} {change.id} of {change.owner}')
         for change in changes], ', ', most=NAMED)
