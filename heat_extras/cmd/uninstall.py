# SPDX-License-Identifier: Apache-2.0

"""Commands that remove something permanently, after a check of its use."""

import datetime

from heat_extras.cmd import cli_config
from heat_extras.db import live_engines
from heat_extras.db import lock_admin
from heat_extras.db import migration
from heat_extras.db import schema_check
from heat_extras.db import template_rewrite
from heat_extras import sanitize

PROG = 'heat-extras-manage'

# How many stacks, templates or engines a command names.
NAMED = 10


def db_downgrade(conf, engine):
    """Remove the columns and tables of heat-extras from Heat's database.

    This includes the results of an interrupted db_sync. The command is
    rejected while an engine runs with a feature of heat-extras, because the
    engine reads the columns with every stack.

    Examples:

      See what would go, and what is in the way:
        heat-extras-manage db_downgrade --dry-run

      Remove it, with all locks that are left:
        heat-extras-manage db_downgrade --unlock-all
    """
    found = schema_check.list_existing(engine)
    if not found:
        print('Found nothing of heat-extras in the database.')
    else:
        locked, protected = (lock_admin.list_locked_names(engine),
                             lock_admin.list_protected_names(engine))
        _check_engines(conf, engine)
        _check_templates(conf.command, engine)
        # All checks first: what is rejected changes nothing.
        _check_unused(conf.command, conf.command.unlock_all, locked,
                      'locked stack', 'Unlock them, or use --unlock-all.')
        _check_unused(conf.command, conf.command.unprotect_all, protected,
                      'protected stack', 'Without the protection, users could '
                      'delete them. Unprotect them, or use --unprotect-all.')
        _remove(conf.command, conf.command.unlock_all, locked,
                lambda: lock_admin.unlock_all(engine), 'unlocked')
        _remove(conf.command, conf.command.unprotect_all, protected,
                lambda: lock_admin.unprotect_all(engine), 'unprotected')
    named = ', '.join(found)
    if conf.command.dry_run:
        print(f'Would remove: {named or "nothing"}.')
        return
    migration.downgrade(engine, allow_copy=conf.command.allow_copy)
    if found:
        print(f'Removed: {named}.')


def rewrite_templates(conf, engine):
    """Remove the attributes of heat-extras from stored templates.

    Heat without heat-extras cannot load a stack whose template has
    "updatable". Parameters that are not updatable become immutable, which
    Heat supports, and "allow" of an update_policy is removed. The command is
    needed before heat-extras is uninstalled. It is rejected while an engine
    runs with a feature of heat-extras.

    Examples:

      See which stored templates have attributes of heat-extras:
        heat-extras-manage rewrite-templates --dry-run

      Remove the attributes before heat-extras is uninstalled:
        heat-extras-manage rewrite-templates
    """
    _check_engines(conf, engine)
    if conf.command.dry_run:
        found = template_rewrite.list_changes(engine)
        print(f'{_templates(found)} would be rewritten{_named(found)}.')
        return
    found = template_rewrite.rewrite_all(engine)
    print(f'{_templates(found)} rewritten{_named(found)}.')


def add_arguments(parser):
    """Add the options that both have."""
    parser.add_argument('--dry-run', action='store_true',
                        help='Show the changes without making them.')
    parser.add_argument('--force', action='store_true',
                        help='Continue while engines run with a feature of '
                             'heat-extras. Without the columns, they fail '
                             'with every stack until they are restarted.')


def _check_engines(conf, engine):
    rows = ([] if live_engines.TABLE in schema_check.list_missing(engine)
            else live_engines.list_with_heat_extras(engine))
    if not rows or conf.command.force:
        return
    _refuse(conf.command, (
        'Found %s with features of heat-extras: %s. Empty [heat_extras] '
        'features and restart %s, or stop %s. One that was killed counts '
        'until it has not reported for two of its intervals: wait %d s. '
        '--force continues at once.' % (
            sanitize.count(len(rows), 'running engine'),
            sanitize.listing([_name_engine(row) for row in rows], most=NAMED),
            *(('it', 'it') if len(rows) == 1 else ('them', 'them')),
            max(_seconds_left(row) for row in rows))))


def _refuse(command, text):
    # A dry run continues, and prints everything that prevents the command.
    if not command.dry_run:
        raise cli_config.CommandError(text)
    print(f'Would be refused: {text}')


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
    found = template_rewrite.list_changes(engine)
    if found:
        _refuse(command, (
            'Found %s with "updatable" or "allow", which a Heat without '
            'heat-extras does not understand%s. Run %s rewrite-templates '
            'first.' % (_templates(found), _named(found), PROG)))


def _check_unused(command, is_removed, found, kind, hint):
    """Reject the command while stacks are locked or protected.

    :param is_removed: whether the command removes their locks or protections.
    :param kind: noun for a stack that is found, in the singular.
    :param hint: what to do if the command is rejected.
    """
    if found and not is_removed:
        _refuse(command, 'Found %s: %s. %s' % (
            sanitize.count(len(found), kind), _name_stacks(found), hint))


def _remove(command, is_requested, found, remove, removed):
    """Remove the locks or protections of stacks, if this is requested.

    :param removed: participle for a stack afterwards.
    """
    if not is_requested:
        return
    what = sanitize.count(len(found), 'stack')
    names = f': {_name_stacks(found)}' if found else ''
    if command.dry_run:
        print(f'{what} would be {removed}{names}.')
        return
    remove()
    print(f'{what} {removed}{names}.')


def _name_stacks(rows):
    # A line break in a name would end the one line of the error.
    return sanitize.listing(
        [sanitize.printable('%s (%s)' % (row.name, row.id)) for row in rows],
        ', ', most=NAMED)


def _templates(found):
    return sanitize.count(len(found), 'stored template')


def _named(changes):
    if not changes:
        return ''
    return ': ' + sanitize.listing(
        [sanitize.printable(f'{change.kind} {change.id} of {change.owner}')
         for change in changes], ', ', most=NAMED)
