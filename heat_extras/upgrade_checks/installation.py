# SPDX-License-Identifier: Apache-2.0

"""Checks of the installation, without the database and other services."""

from importlib import metadata

from oslo_upgradecheck import upgradecheck

from heat_extras import activation
from heat_extras import conf as heat_extras_conf
from heat_extras import config_validation
from heat_extras.lifecycle import registry

_GROUP_PREFIX = 'heat_extras.'


def check_configuration(conf):
    """Check every option, file and plugin, as an engine does at its start.

    :param conf: Heat's ``oslo_config.cfg.CONF``, which plugins read.
    """
    names = (None if config_validation.asks_for_features(conf)
             else heat_extras_conf.FEATURES)
    try:
        by_process = {process: config_validation.find_errors(conf, process,
                                                             names)
                      for process in (activation.ENGINE, activation.API)}
        warnings = config_validation.find_warnings(conf)
    finally:
        registry.discard_prepared()
    problems = list(dict.fromkeys(sum(by_process.values(), [])))
    if problems:
        return upgradecheck.Result(
            upgradecheck.Code.FAILURE, '%s %s: %s.' % (
                'Engines and API services' if by_process[activation.API]
                else 'Engines',
                'would not start with features enabled' if names
                else 'will not start', '; '.join(problems)))
    if warnings:
        return upgradecheck.Result(upgradecheck.Code.WARNING,
                                   '; '.join(warnings))
    return upgradecheck.Result(upgradecheck.Code.SUCCESS)


def check_heat(conf):
    """Check Heat's release, and the signatures of everything that is patched.

    If a signature is different, an engine does not start.
    """
    problems = activation.problems(conf)
    if problems:
        return upgradecheck.Result(
            upgradecheck.Code.FAILURE,
            'Engines and API services will not start: %s. %s.' % (
                '; '.join(problems), activation.REMEDY))
    return upgradecheck.Result(upgradecheck.Code.SUCCESS)


def check_plugins():
    """Load every plugin of heat-extras except lifecycle plugins.

    :func:`check_configuration` loads lifecycle plugins with their options.
    """
    failures = [*filter(None, map(_find_load_error, _list_entry_points()))]
    if failures:
        return upgradecheck.Result(
            upgradecheck.Code.FAILURE,
            'Plugins that cannot be loaded: %s. Repair or uninstall them.'
            % '; '.join(failures))
    return upgradecheck.Result(upgradecheck.Code.SUCCESS)


def _list_entry_points():
    entry_points = metadata.entry_points()
    return [entry for group in sorted(entry_points.groups)
            if group.startswith(_GROUP_PREFIX)
            for entry in entry_points.select(group=group)]


def _find_load_error(entry):
    try:
        entry.load()
    except (Exception, SystemExit) as error:
        return '%s (%s): %s: %s' % (
            entry.name, entry.value, type(error).__name__, error)
