# SPDX-License-Identifier: Apache-2.0

"""Checks of Heat's database: columns, live_engines, lock_admin, freezes."""

from oslo_upgradecheck import upgradecheck

from heat_extras.config_validation import validation
from heat_extras.db import disabled_features
from heat_extras.db import live_engines
from heat_extras.db import lock_admin
from heat_extras.db import migration
from heat_extras.db import schema_check
from heat_extras import sanitize

# How many engines or stacks a check names.
NAMED = 10
# How much of the digest of a file.
SHOWN_OF_DIGEST = 12


def check_schema(conf, engine):
    """Look for the columns and tables, and for the newest revision."""
    if not schema_check.is_heats(engine):
        return _failure(str(migration.StackTableMissing(engine.url)))
    missing = schema_check.missing(engine)
    found, wanted = migration.current(engine), migration.head()
    if missing and found is None and not (
            validation.asks_for_features(conf)):
        return _success('[heat_extras] features is empty, nothing of ours '
                        'is in the database, and none is needed.')
    if missing or found is None:
        return _failure(
            'Found no %s, wanted all columns and tables of heat-extras. Run '
            'heat-extras-manage db_sync.'
            % (_some(missing) or 'revision of heat-extras'))
    if found != wanted:
        return _warning(
            'Found revision %s, wanted %s. Run heat-extras-manage db_sync '
            'with the newest heat-extras of the cloud.' % (found, wanted))
    return _success()


def check_engines(conf, engine):
    """Look whether all live engines carry the same features.

    While they do not, no stack can be locked.
    """
    if schema_check.missing(engine):
        return _success('Nothing is known before db_sync.')
    rows = live_engines.live(engine)
    without = [_name(row) for row in rows if row.features is None]
    if without and (len(without) < len(rows)
                    or validation.asks_for_features(conf)):
        return _warning(
            'Engines without heat-extras: %s. No stack can be locked until '
            'they are restarted with it.' % _some(without))
    kinds = {(row.version, row.heat_version, tuple(row.features or ()))
             for row in rows}
    if len(kinds) > 1:
        return _warning(
            'Engines that differ: %s. Bring all of them to the same release '
            'and the same [heat_extras] features.'
            % _some([_describe(row) for row in rows]))
    return _success('%s.' % sanitize.count(len(rows), 'live engine'))


def check_locks(conf, engine):
    """Count the locked stacks, and look for locks that need somebody."""
    if schema_check.missing(engine):
        return _success('Nothing is known before db_sync.')
    rows = lock_admin.list_locks(engine)
    alive = {row.engine_id for row in live_engines.live(engine)}
    needy = [_name_lock(row) for row in rows
             if row.lock_status == 'FAILED'
             or row.lock_status == 'IN_PROGRESS'
             and row.lock_engine_id not in alive]
    if needy:
        return _warning(
            'Locks that failed, or whose engine is gone: %s. Lift them or '
            'lock again; heat-extras-manage list-locks shows all.'
            % _some(needy))
    with engine.connect() as connection:
        changed = disabled_features.changed_trees(connection)
    if changed:
        return _warning(
            'Changed while stack_lock was disabled, and not completely '
            'locked: %s. The next engine that starts with stack_lock locks '
            'them again as soon as no operation is in progress.'
            % _some([_name_stack(row) for row in changed]))
    return _success('%s locked.' % sanitize.count(len(rows), 'stack'))


def check_freezes(engine):
    """Look for engines that differ, and for files that have errors."""
    if schema_check.missing(engine):
        return _success('Nothing is known before db_sync.')
    found = live_engines.freezes_in_force(engine, live_engines.live(engine))
    wrong = [*_unusable(found), *_differing(found)]
    if wrong:
        return _warning(' '.join(wrong))
    if not any(each.digest for each in found):
        return _success('No live engine has a freezes_file.')
    return _success('%s with %s.' % (sanitize.count(len(found), 'live engine'),
                                     _freezes_file(found[0].digest)))


def _unusable(found):
    bad = [_name(each.engine) for each in found if each.refused]
    if bad:
        yield ('Engines whose freezes_file has errors, or cannot be read: %s. '
               'What it said before stays in force there; heat.log tells what '
               'is wrong. They would not start again.' % _some(bad))


def _differing(found):
    if live_engines.different_freezes(found) > 1:
        yield ('Engines that differ in what is frozen: %s. Give all of them '
               'the same [heat_extras] features, and the same freezes_file.'
               % _some([f'{_name(each.engine)}: {_freezes_file(each.digest)}'
                        for each in found]))


def _freezes_file(digest):
    return (f'freezes_file {digest[:SHOWN_OF_DIGEST]}' if digest
            else 'no freezes_file')


def check_idle(conf, engine):
    """Look for words of templates, and locks, whose feature is off."""
    try:
        names, unknown = validation.read_features(conf)
    except Exception:
        # A $ that names no option.
        unknown = True
    if unknown:
        # Here, not above all checks: the other ones have something to tell.
        return _failure('Cannot be told before [heat_extras] features is '
                        'correct; see Configuration.')
    if not schema_check.is_heats(engine):
        return _success('Nothing is known before db_sync.')
    off = [name for name in disabled_features.FEATURES if name not in names]
    with engine.connect() as connection:
        if schema_check.missing(engine):
            return _check_templates(connection)
        found = [(feature, disabled_features.count(connection, feature),
                  disabled_features.some(connection, feature, NAMED))
                 for feature in off]
    found = [each for each in found if each[1]]
    if not found:
        return _success()
    return _warning(
        'Nothing guards %s. Add %s to [heat_extras] features. While it is '
        'off, all goes on as if they were not there; before heat-extras is '
        'uninstalled, unlock and unprotect the stacks, and run '
        'heat-extras-manage rewrite-templates.' % (
            '; '.join('%s: %s' % (disabled_features.describe({feature: count}),
                                  _first(count, rows))
                      for feature, count, rows in found),
            ', '.join(feature for feature, _, _ in found)))


def _check_templates(connection):
    # Before db_sync, or after db_downgrade, no column tells of stacks.
    found = disabled_features.count_templates(connection)
    if not found:
        return _success()
    return _warning(
        'Nothing guards what %d stored template%s of "updatable: false" or '
        '"update_policy.allow". Run heat-extras-manage db_sync and turn the '
        'features on, or heat-extras-manage rewrite-templates before '
        'heat-extras is uninstalled.'
        % (found, ' says' if found == 1 else 's say'))


def _first(count, rows):
    more = ['and %d more' % (count - len(rows))] if count > len(rows) else []
    return ', '.join([_name_stack(row) for row in rows] + more)


def _name(row):
    return '%s (%s)' % (row.host, row.engine_id)


def _describe(row):
    return '%s: heat-extras %s, Heat %s, features %s' % (
        _name(row), row.version, row.heat_version,
        ' '.join(row.features or ()) or 'none')


def _name_stack(row):
    return '%s (%s)' % (row.name, row.id)


def _name_lock(row):
    return '%s (%s) %s_%s' % (row.name, row.id, row.lock_action,
                              row.lock_status)


def _some(names):
    return sanitize.listing(names, ', ', most=NAMED)


def _success(details=None):
    return upgradecheck.Result(upgradecheck.Code.SUCCESS, details)


def _warning(details):
    return upgradecheck.Result(upgradecheck.Code.WARNING, details)


def _failure(details):
    return upgradecheck.Result(upgradecheck.Code.FAILURE, details)
