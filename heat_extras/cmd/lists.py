# SPDX-License-Identifier: Apache-2.0

"""The commands of heat-extras-manage that print lists.

``list-locks --verify`` queries the services with the credentials that Heat
stores for the stacks, like an engine. ``plugins`` loads the plugins, which can
import Heat.
"""

from heat_extras.cmd import cli_config
from heat_extras import conf as heat_extras_conf
from heat_extras import config_validation
from heat_extras.db import counters
from heat_extras.db import operator_locks
from heat_extras.lifecycle import plugin_api
from heat_extras.lifecycle import registry
from heat_extras.lifecycle_plugins.limits import rules_file
from heat_extras.output import lister
from heat_extras import sanitize
from heat_extras.stack_lock import options as stack_lock_options
from heat_extras import timestamps

LOCK_COLUMNS = ('project', 'stack_name', 'stack_id', 'level', 'status',
                'rank', 'locked_by', 'locked_at', 'reason', 'lock_id',
                'expires_at')
_OF_LOCKS = lister.Columns(('stack_name', 'stack_id', 'level', 'status'))
VERIFIED_COLUMNS = (
    'project', 'stack_name', 'stack_id', 'resource_name', 'resource_type',
    'physical_resource_id', 'lock_protection', 'found', 'reason')
_OF_VERIFIED = lister.Columns(
    ('stack_name', 'resource_name', 'lock_protection', 'found', 'reason'),
    ('reason',))
PROTECTION_COLUMNS = ('project', 'stack_name', 'stack_id', 'rank',
                      'protected_by', 'protected_at', 'reason', 'tag')
_OF_PROTECTIONS = lister.Columns(
    ('stack_name', 'stack_id', 'protected_by', 'tag', 'reason'), ('reason',))
REFUSAL_COLUMNS = ('project', 'stack_name', 'stack_id', 'event', 'operation',
                   'count', 'first', 'last')
_OF_REFUSALS = lister.Columns(
    ('stack_name', 'event', 'operation', 'count', 'last'))
VIOLATION_COLUMNS = ('project', 'stack_name', 'stack_id', 'rule', 'mode',
                     'reason')
_OF_VIOLATIONS = lister.Columns(('stack_name', 'rule', 'mode', 'reason'),
                                ('reason',))
PLUGIN_COLUMNS = ('order', 'name', 'class', 'distribution', 'ordinal', 'mode',
                  'timeout', 'on_error', 'asked_before', 'status')
_OF_PLUGINS = lister.Columns(
    ('order', 'name', 'mode', 'timeout', 'on_error', 'asked_before', 'status'),
    ('asked_before', 'status'))

_ALL = 'all'
# Protected by the lock itself, or already protected before the lock.
_AS_NOTED = {('protected',) * 2, ('found_protected',) * 2}
_LEFT = 'not_released'
_UNKNOWN = 'not_known'


def list_locks(conf, engine):
    """List the locked stacks, or the resources that their locks protect.

    Examples:

      List the locks of a project, with their users and reasons:
        heat-extras-manage list-locks --long --project 4fd44f30292945e481c7

      Check that the services still protect the resources of the locks:
        heat-extras-manage list-locks --verify
    """
    rows = operator_locks.list_locks(
        engine, nested=conf.command.all, project=conf.command.project)
    if conf.command.verify:
        _verify(conf, [row for row in rows if row.owner_id is None],
                operator_locks.list_not_released(engine, conf.command.project))
        return
    lister.print_rows(LOCK_COLUMNS, [_lock_row(row) for row in rows],
                      conf.command, _OF_LOCKS)


def _verify(conf, rows, left):
    """Print the recorded and the actual protection of each resource.

    :param rows: the locked root stacks, from
        :func:`heat_extras.db.operator_locks.list_locks`.
    :param left: the root stacks with resources that an unlock could not
        release, as the same type.
    :raises CommandError: if a resource is not protected as recorded.
    """
    checked = []
    locked = [row for row in rows if row.level == _ALL]
    roots = {row.id: row for row in (*locked, *left)}
    if roots:
        cli_config.load_lock_handlers(conf)
        # Not at the top, because this imports Heat.
        from heat_extras.stack_lock.resource_locks import lock_resources
        checked = [(row.tenant, *each) for row in roots.values()
                   for each in lock_resources.verify(row.id)]
    lister.print_rows(VERIFIED_COLUMNS, checked, conf.command,
                      _OF_VERIFIED)
    _check_protections([row[-3:-1] for row in checked])


def _check_protections(pairs):
    held = sum(recorded == _LEFT and actual != 'not_protected'
               for recorded, actual in pairs)
    if held:
        count = sanitize.with_plural(held, 'resource')
        raise cli_config.CommandError(
            f'Found {count} that an unlock could not release, and that might '
            'still be protected in their services. Release these resources in '
            'their services, or lock their stacks and unlock them again.')
    unknown = sum(actual == _UNKNOWN and recorded != _LEFT
                  for recorded, actual in pairs)
    others = sum(each not in _AS_NOTED and each[0] != _LEFT
                 for each in pairs) - unknown
    if others:
        count = sanitize.with_plural(len(pairs), 'resource')
        raise cli_config.CommandError(
            f'Found {others} of {count} whose protection in the services '
            "differs from the record in Heat's database. To protect these "
            'resources, lock their stacks again.')
    if unknown:
        count = sanitize.with_plural(len(pairs), 'resource')
        raise cli_config.CommandError(
            f'The protection of {unknown} of {count} is not known, for the '
            'reasons in the list. Correct these causes, and run the command '
            'again.')


def _lock_row(row):
    return (row.tenant, row.name, row.id, row.level,
            f'{row.action}_{row.status}', row.rank, row.set_by,
            timestamps.to_iso(row.set_at), row.reason, row.lock_id,
            timestamps.to_iso(row.expires_at))


def list_protected(conf, engine):
    """List the root stacks that are protected from deletion.

    This includes stacks with the tags that [heat_extras] delete_protection_tag
    and resource_protection_tag name in the configuration files of this
    command.

    Examples:

      List the protected stacks, with the users and the reasons:
        heat-extras-manage list-protected
    """
    conf.register_opts(stack_lock_options.OPTIONS, group='heat_extras')
    project = conf.command.project
    rows = {row.id: _protection_row(row, None)
            for row in operator_locks.list_protected(engine, project=project)}
    for row in operator_locks.list_tagged(
            engine, stack_lock_options.read_protection_tags(conf), project):
        rows[row.id] = _protection_row(row, row.tag)
    lister.print_rows(PROTECTION_COLUMNS, list(rows.values()),
                      conf.command, _OF_PROTECTIONS)


def _protection_row(row, tag):
    return (
        row.tenant, row.name, row.id, row.rank, row.set_by,
        timestamps.to_iso(row.set_at), row.reason, tag)


def list_refusals(conf, engine):
    """List counters of rejections, marks and passes, the latest first.

    They count rejected operations, ignored signals, health marks and lock
    passes of each stack.

    Examples:

      Write a file for a spreadsheet:
        heat-extras-manage list-refusals -f csv > refusals.csv
    """
    rows = counters.list_per_stack(engine, conf.command.project)
    lister.print_rows(REFUSAL_COLUMNS, [
        (row.tenant, row.name, row.stack_id, row.event, row.operation,
         row.count, timestamps.to_iso(row.first_at),
         timestamps.to_iso(row.last_at))
        for row in rows], conf.command, _OF_REFUSALS)


def audit(conf, engine):
    """List the stacks that violate the rules in limits_file.

    The rules could be newer than the stacks. Properties have the values of
    the last creation or update of their resources. Nothing is changed. The
    exit status is 1 if a stack violates a rule or cannot be checked.

    Examples:

      List the violations of the rules in heat.conf:
        heat-extras-manage audit --long

      Try a new file of rules before the engines use it:
        heat-extras-manage audit --rules new.yaml -f json
    """
    heat_extras_conf.register_opts(conf)
    path = conf.command.rules or conf.heat_extras.limits_file
    if not path:
        raise cli_config.CommandError(
            'There are no rules: [heat_extras] limits_file is not set. Set '
            'it, or give a file of rules with --rules.')
    rules = rules_file.load_rules(path)
    cli_config.load_heat(conf)
    # Not at the top, because this imports Heat.
    from heat_extras.lifecycle_plugins.limits import audit as limits_audit
    rows = list(limits_audit.list_violations(rules, conf.command.project))
    lister.print_rows(VIOLATION_COLUMNS, rows, conf.command, _OF_VIOLATIONS)
    if rows:
        violations = sanitize.with_plural(len(rows), 'violation')
        raise cli_config.CommandError(
            f'Found {violations} of rules in {path}.')


def plugins(conf, engine):
    """List the lifecycle plugins in the order in which they are called.

    Exits with 1 if a plugin does not load.

    Examples:

      List the plugins that are called before and after an action:
        heat-extras-manage plugins

      Check that all plugins load, and print all columns for a program:
        heat-extras-manage plugins -f json
    """
    heat_extras_conf.register_opts(conf)
    entries = _find_plugins(conf)
    lister.print_rows(PLUGIN_COLUMNS, list(_plugin_rows(entries)),
                      conf.command, _OF_PLUGINS)
    # Several errors have one line each below the table.
    mistakes = [text for each in entries if len(each.mistakes) > 1
                for text in each.mistakes]
    if mistakes:
        raise cli_config.CommandError(*mistakes)
    if any(each.plugin is None for each in entries):
        raise SystemExit(1)


def _find_plugins(conf):
    with cli_config.heat_config(conf):
        problems = config_validation.option_errors(conf)
        if problems:
            raise cli_config.CommandError(*problems.values())
        return registry.find_plugins(conf)


def _plugin_rows(entries):
    number = 0
    for entry in entries:
        is_called = entry.plugin is not None and entry.is_enabled
        number += is_called
        yield (number if is_called else None, entry.name, entry.value,
               entry.distribution, *_plugin_settings(entry.plugin),
               _plugin_status(entry))


def _plugin_settings(plugin):
    if plugin is None:
        return (None,) * 5
    return (plugin.ordinal, plugin.mode, plugin.timeout, plugin.on_error,
            _plugin_actions(plugin))


def _plugin_actions(plugin):
    asked = [action for action in plugin_api.ACTIONS
             if plugin.is_asked(action)]
    return 'all' if len(asked) == len(plugin_api.ACTIONS) else (
        ', '.join(asked) or 'none')


def _plugin_status(entry):
    if len(entry.mistakes) > 1:
        return f'failed to load: {len(entry.mistakes)} errors'
    if entry.error is not None:
        return f'failed to load: {entry.error}'
    return 'called' if entry.is_enabled else 'off'
