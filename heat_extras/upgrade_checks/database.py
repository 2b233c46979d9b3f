# SPDX-License-Identifier: Apache-2.0

"""Checks of Heat's database.

They check its columns and its cluster, and the engines, locks, freezes and
features that it records.
"""

from oslo_upgradecheck import upgradecheck
import sqlalchemy

from heat_extras import config_validation
from heat_extras.db import disabled_features
from heat_extras.db import live_engines
from heat_extras.db import migration
from heat_extras.db import operator_locks
from heat_extras.db import schema_check
from heat_extras import sanitize

# The maximum number of engines or stacks in a message.
NAMED = 10
# The number of characters of a digest in a message.
SHOWN_OF_DIGEST = 12
_UNUSED = ('Not needed: [heat_extras] features is empty, and the database has '
           'no columns or tables of heat-extras.')

# The bit of wsrep_sync_wait with which a read waits for all commits of the
# other nodes.
_SYNC_READS = 1
_OPTION = 'mysql_wsrep_sync_wait'


def check_schema(conf, engine):
    """Check the columns and tables, and the revision of the database."""
    if not schema_check.has_heat_tables(engine):
        return _failure(str(migration.StackTableMissing(engine.url)))
    missing = schema_check.list_missing(engine)
    revision = migration.read_revision(engine)
    newest = migration.newest_revision()
    if _is_unused(conf, engine):
        return _success(_UNUSED)
    if missing or revision is None:
        return _failure(
            'Columns or tables of heat-extras are missing in the database: '
            '%s. Run heat-extras-manage db_sync.'
            % (_join_names(missing) or 'the revision of heat-extras'))
    if revision != newest:
        return _warning(
            'The database has revision %s of heat-extras, but must have %s. '
            'Run heat-extras-manage db_sync on the host with the newest '
            'heat-extras in this cloud.' % (revision, newest))
    return _success()


def _is_unused(conf, engine):
    """Return whether neither the database nor heat.conf has heat-extras."""
    return (not config_validation.asks_for_features(conf)
            and schema_check.has_heat_tables(engine)
            and migration.read_revision(engine) is None
            and not schema_check.list_existing(engine))


def _not_checked(conf, engine):
    if _is_unused(conf, engine):
        return _success(_UNUSED)
    return _warning('Not checked, because columns or tables are missing in '
                    'the database. See the check "Columns and tables".')


def check_cluster(conf, engine):
    """Check that reads wait for other nodes of a Galera cluster.

    Heat needs it if engines use several nodes. This cannot be found out here,
    so the result is only a warning.
    """
    variables = _read_variables(engine)
    if (variables.get('wsrep_on') != 'ON'
            or variables.get('wsrep_provider', 'none') == 'none'):
        return _success('Not a node of a Galera cluster.')
    # oslo.db has the option since 12.1.
    configured = getattr(conf.database, _OPTION, None)
    value = (int(variables.get('wsrep_sync_wait', 0)) if configured is None
             else configured)
    if value & _SYNC_READS:
        return _success(
            'Reads wait for commits of the other nodes: wsrep_sync_wait is '
            '%d.' % value)
    return _warning(
        'wsrep_sync_wait is %d on a Galera cluster, but must be 1 unless all '
        'engines use the same node, for example behind a proxy with one '
        'writer. With several nodes, an engine can read a row before the '
        "write of another engine reaches its node. Heat's own operations "
        'then get stuck, and a stack can be shown without its lock. Set '
        '[database] %s = 1 in heat.conf on all hosts and restart the '
        'engines, or set wsrep_sync_wait = 1 on all nodes.'
        % (value, _OPTION))


def _read_variables(engine):
    if engine.dialect.name not in ('mysql', 'mariadb'):
        return {}
    with engine.connect() as connection:
        return {name: value for name, value in connection.execute(
            sqlalchemy.text("SHOW GLOBAL VARIABLES LIKE 'wsrep%'"))}


def check_engines(conf, engine):
    """Check that all live engines have the same features.

    Otherwise no stack can be locked.
    """
    if schema_check.list_missing(engine):
        return _not_checked(conf, engine)
    rows = live_engines.list_live(engine)
    without = [_describe_engine(row) for row in rows if row.features is None]
    if without and (len(without) < len(rows)
                    or config_validation.asks_for_features(conf)):
        return _warning(
            'Engines without heat-extras: %s. Stacks cannot be locked until '
            'these engines are restarted with heat-extras.%s'
            % (_join_names(without), _describe_late(rows)))
    kinds = {(row.version, row.heat_version, tuple(row.features or ()))
             for row in rows}
    if len(kinds) > 1:
        return _warning(
            'Engines with different releases or features: %s. Install the '
            'same releases, set the same [heat_extras] features on all of '
            'these engines, and restart them.%s' % (
                _join_names([_describe_engine(row) for row in rows]),
                _describe_late(rows)))
    return _success('%s.' % sanitize.with_plural(len(rows), 'live engine'))


def check_locks(conf, engine):
    """Count the locked stacks, and find locks that an operator must repair."""
    if schema_check.list_missing(engine):
        return _not_checked(conf, engine)
    rows = operator_locks.list_locks(engine)
    alive = {row.engine_id for row in live_engines.list_live(engine)}
    broken = [_name_lock(row) for row in rows
              if row.status == 'FAILED'
              or row.status == 'IN_PROGRESS'
              and row.engine_id not in alive]
    if broken:
        return _warning(
            'Locks that failed, or whose engine is down: %s. Unlock these '
            'stacks or lock them again. heat-extras-manage list-locks lists '
            'all locks.' % _join_names(broken))
    with engine.connect() as connection:
        changed = disabled_features.list_changed_roots(connection)
    if changed:
        return _warning(
            'Stacks that are not completely locked, because they were changed '
            'while stack_lock was disabled: %s. The next engine that starts '
            'with stack_lock locks them again as soon as no operation is in '
            'progress.'
            % _join_names([_name_stack(row) for row in changed]))
    return _success('%s locked.' % sanitize.with_plural(len(rows), 'stack'))


def check_freezes(conf, engine):
    """Find engines with different freezes, and freezes files with errors."""
    if schema_check.list_missing(engine):
        return _not_checked(conf, engine)
    freezes = live_engines.list_freezes(engine,
                                        live_engines.list_live(engine))
    problems = [*_list_unusable(freezes), *_list_differing(freezes)]
    if problems:
        return _warning(' '.join(problems))
    if not any(each.digest for each in freezes):
        return _success('No live engine has a freezes_file.')
    return _success('%s with %s.' % (
        sanitize.with_plural(len(freezes), 'live engine'),
        _freezes_file(freezes[0].digest)))


def _list_unusable(freezes):
    names = [_name_engine(each.engine) for each in freezes if each.refused]
    if names:
        yield ('Engines whose freezes_file has errors, or cannot be read: %s. '
               'The previous freezes stay in effect in these engines, but the '
               'engines would not start again. The errors are in the logs of '
               'these engines. Correct the file.' % _join_names(names))


def _list_differing(freezes):
    if live_engines.count_distinct_freezes(freezes) > 1:
        yield ('Engines with different freezes: %s. Set the same '
               '[heat_extras] features and the same freezes_file on all of '
               'these engines.' % _join_names([
                   f'{_name_engine(each.engine)}: {_freezes_file(each.digest)}'
                   for each in freezes]))


def _freezes_file(digest):
    return (f'freezes_file {digest[:SHOWN_OF_DIGEST]}' if digest
            else 'no freezes_file')


def check_disabled_features(conf, engine):
    """Find locks and template attributes whose feature is disabled."""
    try:
        names, unknown = config_validation.read_features(conf)
    except Exception:
        # A $ that names no option.
        unknown = True
    if unknown:
        # The other checks do not need the option.
        return _failure('Not checked, because [heat_extras] features is not '
                        'valid. See the check "Configuration".')
    if not schema_check.has_heat_tables(engine):
        return _not_checked(conf, engine)
    disabled = [name for name in disabled_features.FEATURES
                if name not in names]
    with engine.connect() as connection:
        if schema_check.list_missing(engine):
            return _check_templates(connection)
        unguarded = [
            (feature, disabled_features.count_stacks(connection, feature),
             disabled_features.list_first_stacks(connection, feature, NAMED))
            for feature in disabled]
    unguarded = [each for each in unguarded if each[1]]
    if not unguarded:
        return _success()
    return _warning(
        'Not enforced: %s. Until you add %s to [heat_extras] features, '
        'operations on these stacks are not restricted. Before you uninstall '
        'heat-extras, unlock and unprotect the stacks, and run '
        'heat-extras-manage rewrite-templates.' % (
            '. '.join('%s: %s' % (disabled_features.describe({feature: count}),
                                  _join_first(count, rows))
                      for feature, count, rows in unguarded),
            ', '.join(feature for feature, _, _ in unguarded)))


def _check_templates(connection):
    # Before db_sync, and after db_downgrade, there is no column to read.
    count = disabled_features.count_templates(connection)
    if not count:
        return _success()
    return _warning(
        'Not enforced: "updatable: false" or "update_policy.allow" in %s. To '
        'enforce these attributes, run heat-extras-manage db_sync, and enable '
        'the features "parameters" and "update_policy". Before you uninstall '
        'heat-extras, run heat-extras-manage '
        'rewrite-templates.' % sanitize.with_plural(count, 'stored template'))


def _join_first(count, rows):
    more = ['and %d more' % (count - len(rows))] if count > len(rows) else []
    return ', '.join([_name_stack(row) for row in rows] + more)


def _name_engine(row):
    return '%s (%s)' % (row.host, row.engine_id)


def _describe_engine(row):
    release = '' if row.features is None else (
        ': heat-extras %s, Heat %s, features %s' % (
            row.version, row.heat_version,
            ' '.join(row.features or ()) or 'none'))
    return '%s%s, last seen %d s ago' % (_name_engine(row), release,
                                         live_engines.age(row))


def _describe_late(rows):
    # An engine that was killed cannot be distinguished from a slow engine.
    late = [row for row in rows
            if live_engines.age(row) > row.report_interval]
    if not late:
        return ''
    return (' Engines that did not report for %d s may be stopped. If they '
            'are, run the check again in %d s.' % (
                min(row.report_interval for row in late),
                max(map(live_engines.seconds_left, late))))


def _name_stack(row):
    return '%s (%s)' % (row.name, row.id)


def _name_lock(row):
    return '%s (%s) %s_%s' % (row.name, row.id, row.action,
                              row.status)


def _join_names(names):
    return sanitize.join_some(names, ', ', most=NAMED)


def _success(details=None):
    return upgradecheck.Result(upgradecheck.Code.SUCCESS, details)


def _warning(details):
    return upgradecheck.Result(upgradecheck.Code.WARNING, details)


def _failure(details):
    return upgradecheck.Result(upgradecheck.Code.FAILURE, details)
