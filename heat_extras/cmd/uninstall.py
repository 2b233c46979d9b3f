# SPDX-License-Identifier: Apache-2.0

"""Commands that remove data permanently, after a check of its use."""

from heat_extras.cmd import cli_config
from heat_extras.db import live_engines
from heat_extras.db import migration
from heat_extras.db import models
from heat_extras.db import operator_locks
from heat_extras.db import schema_check
from heat_extras.db import template_rewrite
from heat_extras.output import lister
from heat_extras import sanitize

PROG = 'heat-extras-manage'

# The maximum number of stacks, templates or engines that a command names.
NAMED = 10

_RESOURCE_COLUMNS = ('project', 'stack_name', 'stack_id', 'resource_name',
                     'resource_type', 'physical_resource_id')
_OF_RESOURCES = lister.Columns(
    ('stack_name', 'resource_name', 'resource_type', 'physical_resource_id'))

_RESOURCES_LEFT = (
    '%s listed above would stay protected in other services, without a record '
    'in the database. To release the resources of a locked stack, run '
    'heat-extras-manage unlock. Release other resources in their services. To '
    'leave the resources protected, use --leave-protected.')


def db_downgrade(conf, engine):
    """Remove the columns and tables of heat-extras from Heat's database.

    This includes the results of an interrupted db_sync. The command is
    rejected while an engine runs with a feature of heat-extras, because this
    engine reads the columns whenever it loads a stack.

    Examples:

      List what would be removed, and what prevents it:
        heat-extras-manage db_downgrade --dry-run

      Remove it, including the locks of all stacks:
        heat-extras-manage db_downgrade --unlock-all --leave-protected
    """
    existing = schema_check.list_existing(engine)
    command, left, locked, protected = conf.command, [], [], []
    if existing:
        left = operator_locks.list_protected_resources(engine)
        locked = operator_locks.list_names(engine, models.LOCK)
        protected = operator_locks.list_names(engine, models.DELETE_PROTECTION)
    else:
        print('The database has no columns or tables of heat-extras.')
    # All checks first, so that a rejected command makes no change.
    reasons = _stop_if_rejected(command, _list_reasons(
        conf, engine, locked, protected, left) if existing else ())
    _remove(command, command.unlock_all, locked,
            lambda: operator_locks.remove_all(engine, models.LOCK), 'unlocked')
    _remove(command, command.unprotect_all, protected,
            lambda: operator_locks.remove_all(engine,
                                              models.DELETE_PROTECTION),
            'unprotected')
    named = ', '.join(existing)
    if command.dry_run:
        print(f'Would remove: {named or "no column or table"}.')
        _exit_if_rejected(reasons)
        return
    migration.downgrade(engine, allow_copy=command.allow_copy)
    if existing:
        print(f'Removed: {named}.')


def _list_reasons(conf, engine, locked, protected, left):
    """List the reasons to reject db_downgrade."""
    command = conf.command
    migration.read_known_revision(engine)
    yield from _list_engines(conf, engine)
    yield from _list_templates(engine)
    if not command.unlock_all:
        yield from _list_used(locked, 'locked stack',
                              'Unlock these stacks, or use --unlock-all.')
    if not command.unprotect_all:
        yield from _list_used(protected, 'protected stack', (
            'Unprotect these stacks, or use --unprotect-all. Users could then '
            'delete these stacks.'))
    if left and (command.unlock_all or not locked):
        lister.print_rows(_RESOURCE_COLUMNS, left, command, _OF_RESOURCES)
        if not command.leave_protected:
            yield _RESOURCES_LEFT % sanitize.with_plural(len(left), 'resource')


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
    reasons = _stop_if_rejected(conf.command, _list_engines(conf, engine))
    if conf.command.dry_run:
        changes = template_rewrite.list_changes(engine)
        print(f'{_count_templates(changes)} would be rewritten'
              f'{_list_changes(changes)}.')
        _exit_if_rejected(reasons)
        return
    changes = template_rewrite.rewrite_all(engine)
    print(f'{_count_templates(changes)} rewritten{_list_changes(changes)}.')


def add_arguments(parser, with_force):
    """Add the options that both commands have.

    :param with_force: what follows for the engines with ``--force``.
    """
    parser.add_argument('--dry-run', action='store_true',
                        help='Show the changes without making them. Exits '
                             'with 1 if the command would be rejected.')
    parser.add_argument('--force', action='store_true',
                        help='Continue even if engines run with a feature of '
                             f'heat-extras. {with_force}')


def add_downgrade_arguments(parser):
    """Add the options of ``db_downgrade``."""
    add_arguments(parser, 'Without the columns, these engines cannot load any '
                          'stack until they are restarted without features.')
    parser.add_argument('--unlock-all', action='store_true',
                        help='Before the downgrade, unlock all stacks. The '
                             'resources of their locks stay protected in '
                             'other services. See --leave-protected.')
    parser.add_argument('--unprotect-all', action='store_true',
                        help='Before the downgrade, remove all delete '
                             'protections.')
    parser.add_argument('--leave-protected', action='store_true',
                        help='Continue even if resources stay protected in '
                             'other services. The command lists these '
                             'resources, and removes their records.')


def add_rewrite_arguments(parser):
    """Add the options of ``rewrite-templates``."""
    add_arguments(parser, 'These engines can store templates with attributes '
                          'of heat-extras again.')


def _stop_if_rejected(command, reasons):
    """Stop for the first reason. A dry run prints all reasons.

    :returns: the number of reasons.
    """
    count = 0
    for text in reasons:
        if not command.dry_run:
            raise cli_config.CommandError(text)
        print(f'Without --dry-run, the command would stop here: {text}')
        count += 1
    return count


def _exit_if_rejected(count):
    # With the exit status of the command without --dry-run.
    if count:
        raise cli_config.CommandError(
            'Without --dry-run, the command would be rejected, for '
            f'{sanitize.with_plural(count, "reason")} printed above.')


def _list_engines(conf, engine):
    rows = ([] if live_engines.TABLE in schema_check.list_missing(engine)
            else live_engines.list_with_heat_extras(engine))
    if not rows or conf.command.force:
        return
    yield (
        'Found %s with features of heat-extras: %s. Make [heat_extras] '
        'features empty and restart %s, or stop %s. An engine that was killed '
        'counts as running for two report intervals: wait %d s. With --force, '
        'the command continues immediately.' % (
            sanitize.with_plural(len(rows), 'running engine'),
            sanitize.join_some([_name_engine(row) for row in rows],
                               most=NAMED),
            *(('it', 'it') if len(rows) == 1 else ('them', 'them')),
            max(map(live_engines.seconds_left, rows))))


def _name_engine(row):
    return sanitize.printable('%s (%s), features %s, last seen %d s ago' % (
        row.host, row.engine_id, ' '.join(row.features) or 'none',
        live_engines.age(row)))


def _list_templates(engine):
    changes = template_rewrite.list_changes(engine)
    if changes:
        yield (
            'Found %s with "updatable" or "allow", which Heat without '
            'heat-extras cannot load%s. Run %s rewrite-templates first.' % (
                _count_templates(changes), _list_changes(changes), PROG))


def _list_used(rows, kind, hint):
    """List the stacks that are locked or protected, as one reason.

    :param rows: the rows of the stacks.
    :param kind: the noun for such a stack, in the singular.
    :param hint: what to do.
    """
    if rows:
        yield 'Found %s: %s. %s' % (
            sanitize.with_plural(len(rows), kind), _name_stacks(rows), hint)


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
