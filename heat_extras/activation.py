# SPDX-License-Identifier: Apache-2.0

"""Turn features on in a process: only this module applies patches.

The lifecycle entry point of heat-engine calls ``activate(conf, 'engine')``
before the engine forks and before its RPC server starts. The paste factory of
the API services calls ``activate(conf, 'api')``. A call turns on all features
that heat.conf lists, or raises an error.
"""

import contextlib

from heat import version as heat_version
from oslo_db.sqlalchemy import engines
from oslo_log import log as logging
from packaging import specifiers
from packaging import version as packaging_version

from heat_extras import conf as heat_extras_conf
from heat_extras import config_validation
from heat_extras.db import connection_errors
from heat_extras import features
from heat_extras import gate
from heat_extras.heat_internals import private_names
from heat_extras.lifecycle import registry
from heat_extras import monkey_patch
from heat_extras import operator_errors
from heat_extras import rpc_request

LOG = logging.getLogger(__name__)

SUPPORTED_HEAT = '>=24.1,<28'
REMEDY = ('Install a release of heat-extras that supports this Heat, or make '
          '[heat_extras] features empty')

ENGINE, API = monkey_patch.ENGINE, monkey_patch.API


def activate(conf, process, check_database=True):
    """Turn on the features that ``[heat_extras] features`` lists.

    :param process: ``engine`` or ``api``.
    :param check_database: False for tests that build Heat before its
        database.
    :returns: the names of the features, sorted.
    :raises HeatExtrasError: if a feature cannot be turned on. No feature is
        turned on in this case.
    """
    heat_extras_conf.register_opts(conf)
    if not config_validation.asks_for_features(conf):
        if process == ENGINE:
            _parse_templates_only(conf, [], check_database)
        return []
    try:
        return _turn_on(conf, process, check_database)
    finally:
        registry.discard_prepared()


def _turn_on(conf, process, check_database):
    _check_configuration(conf, process)
    names = configured_features(conf)
    chosen = [feature for feature in _load(names)
              if (feature, process) not in features.ACTIVE
              and feature.is_wanted(conf, process)]
    if not chosen:
        if process == ENGINE:
            _parse_templates_only(conf, names, check_database)
        return names
    if process == ENGINE:
        _prepare_database(conf, names, check_database)
    records = _records(chosen, process)
    _check_unpatched_names(names, process)
    # Not those of an earlier activation in this process, if this one fails.
    applied = _apply_patches(records)
    features.ACTIVE.extend((feature, process) for feature in chosen)
    try:
        _open_gate()
        for feature in chosen:
            feature.load_errors()
            feature.start(process)
    except BaseException:
        _turn_off(chosen, process, applied)
        raise
    LOG.info('heat-extras: features enabled in this %(process)s: %(features)s '
             '(%(count)s patches)',
             {'features': ', '.join(names), 'process': process,
              'count': len(records)})
    if process == ENGINE and check_database:
        _warn_of_disabled_features(conf, names)
    return names


def records(names, process):
    """List the patches of the named features for one process."""
    return _records(_load(names), process)


def problems(conf):
    """List the reasons why the features do not fit this Heat.

    Check Heat's release and the signatures, but not the database. Options are
    checked in :mod:`heat_extras.config_validation`. If no feature
    is listed in heat.conf, check the signatures for all features.

    :returns: a list of sentences, empty if all features fit.
    """
    heat_extras_conf.register_opts(conf)
    sentences = _release_problems()
    if sentences:
        return sentences
    names = _features_to_check(conf)
    for process in (ENGINE, API):
        try:
            sentences += monkey_patch.problems(records(names, process))
            _check_parts(_load(names), process)
        except operator_errors.HeatExtrasError as error:
            sentences.append(str(error))
        except Exception as error:
            # A module of Heat moved, or no longer has a name that a patch
            # module imports.
            sentences.append(f'the patches for the process "{process}" cannot '
                             f'be loaded: {type(error).__name__}: {error}')
    return list(dict.fromkeys(sentences + _list_unpatched_changes(names)))


def _check_parts(chosen, process):
    for feature in chosen:
        feature.load_errors()
        if process == ENGINE:
            feature.make_guard()


def _features_to_check(conf):
    try:
        return (config_validation.read_features(conf)[0]
                or heat_extras_conf.FEATURES)
    except Exception:
        # The option itself cannot be read.
        return heat_extras_conf.FEATURES


def _turn_off(chosen, process, records):
    for feature in chosen:
        feature.stop(process)
    monkey_patch.undo(records)
    features.ACTIVE[:] = [pair for pair in features.ACTIVE
                          if pair[1] != process or pair[0] not in chosen]
    _open_gate()


def _open_gate():
    gate.open_for(feature.make_guard() for feature in features.active(ENGINE))


def deactivate():
    """Turn off all features that activate() turned on in this process.

    The columns stay mapped, see :mod:`heat_extras.db.stack_columns`.
    """
    for process in (API, ENGINE):
        chosen = features.active(process)
        _turn_off(chosen[::-1], process, _records(chosen, process))


def configured_features(conf):
    """List the names of the features that heat.conf lists, sorted.

    :raises ActivationError: if there is no feature of this name.
    """
    known, unknown = config_validation.read_features(conf)
    if unknown:
        raise operator_errors.ActivationError(
            *config_validation.unknown_features(unknown))
    return known


def _check_configuration(conf, process):
    problems = config_validation.find_errors(conf, process) + [
        f'{problem}. {REMEDY}' for problem in _release_problems()]
    for warning in config_validation.find_warnings(conf, process):
        LOG.warning('heat-extras: %s', warning)
    if problems:
        raise operator_errors.ActivationError(*problems)


def _release_problems():
    release = heat_version.version_info.version_string()
    if packaging_version.Version(release) in specifiers.SpecifierSet(
            SUPPORTED_HEAT, prereleases=True):
        return []
    return [f'Heat {release} is not supported: expected {SUPPORTED_HEAT}']


def _load(names):
    return [features.FEATURES[name] for name in names]


def _parse_templates_only(conf, names, check_database):
    # If all features are off, an error here must not stop the engine.
    try:
        _check_unpatched_names([], ENGINE)
        _apply_patches(_records([], ENGINE))
    except Exception as error:
        LOG.warning('heat-extras: this engine cannot load stacks whose '
                    'templates have "updatable" or "update_policy.allow". '
                    'The cause is: %s', error)
        return
    if check_database:
        _warn_of_disabled_features(conf, names)


def _warn_of_disabled_features(conf, names):
    # Heat itself reports an unavailable database.
    from heat_extras.db import disabled_features
    if not conf.database.connection:
        return
    try:
        with _own_engine(conf) as engine:
            counts = disabled_features.record_start(engine, names)
    except Exception as error:
        LOG.debug('heat-extras: cannot count the stacks that the disabled '
                  'features would guard: %s', error)
        return
    if any(counts.values()):
        LOG.warning(
            'heat-extras: the guards of %(what)s are not enforced, because '
            '[heat_extras] features does not include: %(features)s. To list '
            'the stacks, run heat-extras-status upgrade check', {
                'what': disabled_features.describe(counts),
                'features': ', '.join(filter(counts.get, counts))})


def _check_unpatched_names(names, process):
    # The patches of the API services use no private names.
    problems = _list_unpatched_changes(names) if process == ENGINE else []
    if problems:
        raise _incompatible_error('; '.join(problems))


def _list_unpatched_changes(names):
    """List the changes in Heat of names that are used, but not patched."""
    return [*(rpc_request.find_problems() if names else ()),
            *private_names.find_problems(
                [*names, private_names.TEMPLATE_SYNTAX])]


def _apply_patches(records):
    try:
        return monkey_patch.apply(records)
    except operator_errors.PatchError as error:
        raise _incompatible_error(error) from error


def _incompatible_error(reason):
    return operator_errors.ActivationError(f'{reason}. {REMEDY}')


def _records(chosen, process):
    """List the patches of some features for one process.

    Templates with attributes of heat-extras are parsed even if no feature is
    on. Every feature needs the patches that name no feature.
    """
    wanted = {private_names.TEMPLATE_SYNTAX,
              *(feature.name for feature in chosen),
              *([None] if chosen else [])}
    return [record for record in monkey_patch.package_records(
        'heat_extras.patches', process) if record.feature in wanted]


def _prepare_database(conf, names, check):
    from heat_extras.db import stack_columns
    if check:
        _check_database(conf, names)
    stack_columns.map_stack_columns()


@contextlib.contextmanager
def _own_engine(conf):
    # Heat's own engine of SQLAlchemy must not be created before the fork, nor
    # before EngineService.start has set the size of its pool.
    engine = engines.create_engine(
        conf.database.connection, max_retries=conf.database.max_retries,
        retry_interval=conf.database.retry_interval)
    try:
        yield engine
    finally:
        engine.dispose()


def _check_database(conf, names):
    from heat_extras.db import disabled_features
    from heat_extras.db import schema_check
    if not conf.database.connection:
        raise operator_errors.ActivationError(
            "[database] connection is not set: expected the URL of Heat's "
            'database')
    try:
        with _own_engine(conf) as engine:
            missing = schema_check.list_missing(engine)
            if not missing:
                disabled_features.restore_enabled(engine, names)
    except Exception as error:
        raise operator_errors.ActivationError(
            "[database] connection: Heat's database cannot be used: "
            f'{_driver_message(error)}') from error
    if missing:
        raise operator_errors.ActivationError(
            "Columns or tables of heat-extras are missing in Heat's database: "
            f'{_first_of(missing)}. Run "heat-extras-manage db_sync"')


def _driver_message(error):
    # Without the links that SQLAlchemy adds and oslo.db repeats.
    error = connection_errors.driver_error(error)
    return f'{type(error).__name__}: {error}'


def _first_of(names):
    more = len(names) - 1
    return names[0] + (f' and {more} more' if more else '')
